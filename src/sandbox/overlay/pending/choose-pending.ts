import { join } from 'node:path'
import { ToolError } from '../../../core/call/result.ts'
import type { PendingChoice } from '../../../core/ports/sandbox.ts'
import { createIsAtOrBelow, lstatIfExists } from '../../../files/stat-path.ts'
import { checkConflicts, findConflicts, list } from '../changes/check-changes.ts'
import { describeChanges } from '../changes/describe-changes.ts'
import type { PendingRecord } from './pending-record.ts'

type Part = Pick<PendingRecord, 'changes' | 'steps' | 'changed'>

/** Pending changes in two parts: those that are applied now, and those that stay. */
export interface ChosenPending {
  readonly chosen: Part
  readonly left: Part
}

/** Chooses among pending changes. Throws CONFLICT when all are wanted and one conflicts, and FILE_NOT_FOUND when a path was not changed. */
export function choosePending(record: PendingRecord, choice: PendingChoice, workspace: string): ChosenPending {
  const { changes, startedAt } = record
  if (choice === 'all') {
    checkConflicts(changes, workspace, startedAt)
    return split(record, () => true, workspace)
  }
  if (choice === 'without conflict') {
    const conflicts = new Set(findConflicts(changes, workspace, startedAt))
    const isBelowConflict = createIsAtOrBelow(conflicts)
    return split(record, (path) => !isBelowConflict(path), workspace)
  }
  return split(record, wanted(record, choice), workspace)
}

/** Returns a function that accepts the wanted paths, what lies below them, and the new folders that they need. */
function wanted({ changes }: PendingRecord, paths: readonly string[]): (path: string) => boolean {
  const isWanted = createIsAtOrBelow(paths)
  const unknown = paths.filter((path) => !changes.some((change) => createIsAtOrBelow([path])(change.path)))
  if (unknown.length > 0)
    throw new ToolError('FILE_NOT_FOUND', `The command did not change ${list(unknown)}. Nothing was applied.`)
  const folders = new Set(
    changes.filter((change) => 'type' in change && change.type === 'folder').map(({ path }) => path),
  )
  return (path) => isWanted(path) || (folders.has(path) && paths.some((one) => one.startsWith(`${path}/`)))
}

/** What others deleted meanwhile needs no deletion any more. */
function split(record: PendingRecord, isChosen: (path: string) => boolean, workspace: string): ChosenPending {
  const isDone = (path: string) => lstatIfExists(join(workspace, path)) === undefined
  const partOf = (isPart: (path: string) => boolean): Part => {
    const changes = record.changes.filter(({ kind, path }) => isPart(path) && !(kind === 'deleted' && isDone(path)))
    const steps = record.steps.filter(({ step, path }) => isPart(path) && !(step === 'delete' && isDone(path)))
    return { changes, steps, changed: describeChanges(changes) }
  }
  return { chosen: partOf(isChosen), left: partOf((path) => !isChosen(path)) }
}
