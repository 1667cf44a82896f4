import { join } from 'node:path'
import { ToolError } from '../../core/call/result.ts'
import type { Replaced } from '../../core/ports/files.ts'
import type { ChangedFiles, RunOwner, RunReport } from '../../core/ports/sandbox.ts'
import { keepCopies } from './apply-copies.ts'
import { applySteps } from './apply-steps.ts'
import { checkChanges, findLeadingOut, findTrusted, list } from './check-changes.ts'
import { diffChanges } from './diff-changes.ts'
import { explainUnapplied } from './explain-unapplied.ts'
import { type AppliedChange, findChanges, type Sides } from './find-changes.ts'
import { commitJournal, forgetJournal } from './journal.ts'
import { planSteps } from './plan-steps.ts'
import { reportReplaced } from './report-replaced.ts'
import { NAMES, type RunFolder } from './run-folder.ts'

/** A command that ran on an overlay and has ended. */
export interface EndedRun {
  readonly workspace: string
  readonly folder: RunFolder
  /** The path at which the mounted overlay is still visible. */
  readonly merged: string
  readonly owner: RunOwner
  readonly dryRun: boolean
  /** True when the run folder is on another file system than the workspace. */
  readonly apart: boolean
  /** The person's home folder. */
  readonly userHome?: string | undefined
  /** The largest file kept for undo, in bytes. */
  readonly keptLimit: number
  replaced(record: Replaced): void
}

/** What a command changed in the workspace, or would change. */
export type RunChanges = Required<Pick<RunReport, 'changed'>> & Pick<RunReport, 'diff'>

/** Applies the changes of a command, all or none, and returns them; a dry run only returns them, with a diff. Waits for approval when changed files need it. */
export async function finishRun(run: EndedRun): Promise<RunChanges> {
  const upper = join(run.folder.path, NAMES.upper)
  const sides: Sides = { lower: run.workspace, upper, merged: run.merged, unlocked: new Map(), userHome: run.userHome }
  try {
    return await finishSides(run, sides)
  } catch (error) {
    throw explainUnapplied(error, sides)
  }
}

async function finishSides(run: EndedRun, sides: Sides): Promise<RunChanges> {
  const { changes, leftOut } = findAppliedChanges(sides)
  const changed = describeChanges(changes, { leadingOut: findLeadingOut(changes, sides), leftOut })
  if (changes.length === 0) return { changed }
  if (run.dryRun) return { changed, diff: await diffChanges(changes, sides) }
  checkChanges(changes, sides, run.folder.startedAt)
  const trusted = findTrusted(changes)
  if (trusted.length > 0) {
    await confirmTrusted(trusted, sides, run.owner)
    checkUnmoved(changes, sides)
    checkChanges(changes, sides, run.folder.startedAt)
  }
  apply(changes, sides, run)
  return { changed }
}

/** Returns the changes to apply, and the special files that are skipped. */
function findAppliedChanges(sides: Sides): { changes: AppliedChange[]; leftOut: string[] } {
  const found = findChanges(sides)
  return {
    changes: found.filter((change) => change.kind !== 'special'),
    leftOut: found.filter(({ kind }) => kind === 'special').map(({ path }) => path),
  }
}

function apply(changes: readonly AppliedChange[], sides: Sides, run: EndedRun): void {
  const { workspace, folder, owner, apart, keptLimit, replaced } = run
  const steps = planSteps(changes, sides, folder.path)
  reportReplaced(steps, workspace, { call: owner.call, run: folder.path, keptLimit, replaced })
  if (apart) keepCopies(steps, workspace, folder.path)
  const journal = { workspace, steps, apart }
  commitJournal(folder.path, journal)
  applySteps(folder.path, journal)
  forgetJournal(folder.path)
}

async function confirmTrusted(trusted: readonly AppliedChange[], sides: Sides, owner: RunOwner): Promise<void> {
  if (owner.confirm) return owner.confirm({ files: describeChanges(trusted), diff: await diffChanges(trusted, sides) })
  const paths = trusted.map(({ path }) => path)
  throw new ToolError(
    'DENIED',
    `The command changed ${list(paths)}, which other programs execute or trust, so a person must approve that first, and there is nobody to ask here. None of its changes were applied.`,
    { details: { paths: paths.slice(0, 100) } },
  )
}

/** Throws CONFLICT when the changes are no longer those that the approver saw. */
function checkUnmoved(changes: readonly AppliedChange[], sides: Sides): void {
  if (JSON.stringify(findAppliedChanges(sides).changes) === JSON.stringify(changes)) return
  throw new ToolError(
    'CONFLICT',
    'The workspace changed while the approval was pending. None of the command’s changes were applied. Check the files and run it again.',
    { retryable: true },
  )
}

interface ChangeNotes {
  readonly leadingOut?: readonly string[]
  readonly leftOut?: readonly string[]
}

function describeChanges(
  changes: readonly AppliedChange[],
  { leadingOut = [], leftOut = [] }: ChangeNotes = {},
): ChangedFiles {
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
    ...(leftOut.length > 0 && { leftOut }),
  }
}

function isFolder(change: AppliedChange): boolean {
  return 'type' in change && change.type === 'folder'
}
