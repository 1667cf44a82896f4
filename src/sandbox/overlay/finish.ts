import { join } from 'node:path'
import type { Replaced } from '../../core/files.ts'
import { ToolError } from '../../core/result.ts'
import type { ChangedFiles } from '../../core/sandbox.ts'
import { keepCopies } from './apply-copies.ts'
import { applySteps } from './apply-steps.ts'
import { checkChanges, findLeadingOut, findTrusted, list } from './check-changes.ts'
import { type Difference, findChanges, type Sides } from './find-changes.ts'
import { commitJournal, forgetJournal } from './journal.ts'
import { planSteps } from './plan-steps.ts'
import { NAMES, type RunFolder } from './run-folder.ts'
import { tellReplaced } from './tell-replaced.ts'

/** A command that has ended on an overlay. */
export interface EndedRun {
  readonly workspace: string
  readonly folder: RunFolder
  /** Where the overlay can still be seen. */
  readonly merged: string
  readonly call: string
  readonly rehearse: boolean
  /** The run folder lies on another file system than the workspace. */
  readonly apart: boolean
  replaced(record: Replaced): void
}

/** Applies what the command changed, all or nothing, and says what that was; a rehearsal only says it. */
export function finishRun(run: EndedRun): ChangedFiles {
  const sides: Sides = { lower: run.workspace, upper: join(run.folder.path, NAMES.upper), merged: run.merged }
  const changes = findChanges(sides)
  const report = describeChanges(changes, findLeadingOut(changes, sides))
  if (changes.length === 0 || run.rehearse) return report
  checkChanges(changes, sides, run.folder.startedAt)
  refuseTrusted(findTrusted(changes))
  const steps = planSteps(changes, sides, run.folder.path)
  tellReplaced(steps, run.workspace, { call: run.call, run: run.folder.path, replaced: run.replaced })
  if (run.apart) keepCopies(steps, run.workspace, run.folder.path)
  const journal = { workspace: run.workspace, steps, apart: run.apart }
  commitJournal(run.folder.path, journal)
  applySteps(run.folder.path, journal)
  forgetJournal(run.folder.path)
  return report
}

function refuseTrusted(paths: readonly string[]): void {
  if (paths.length === 0) return
  throw new ToolError(
    'DENIED',
    `The command changed ${list(paths)}, which other programs execute or trust, so a person must agree first. None of its changes were applied; write such files with write_file or edit_file, which ask.`,
    { details: { paths: paths.slice(0, 100) } },
  )
}

function describeChanges(changes: readonly Difference[], leadingOut: readonly string[]): ChangedFiles {
  const deleted = new Set(changes.filter(({ kind }) => kind === 'deleted').map(({ path }) => path))
  const added = changes.filter((change) => change.kind === 'added' && !deleted.has(change.path))
  const parents = new Set(added.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/')))))
  return {
    added: added
      .filter((change) => !isFolder(change) || !parents.has(change.path))
      .map((change) => (isFolder(change) ? `${change.path}/` : change.path)),
    changed: changes
      .filter(({ kind, path }) => kind === 'changed' || kind === 'mode' || (kind === 'added' && deleted.has(path)))
      .map(({ path }) => path),
    deleted: [...deleted].filter((path) => !changes.some((change) => change.kind === 'added' && change.path === path)),
    ...(leadingOut.length > 0 && { leadingOut }),
  }
}

function isFolder(change: Difference): boolean {
  return 'type' in change && change.type === 'folder'
}
