import { join } from 'node:path'
import type { PendingFile } from '../../../core/ports/sandbox.ts'
import { createIsAtOrBelow } from '../../../files/stat-path.ts'
import { findConflicts } from '../changes/check-changes.ts'
import { diffEntries, isFilledFolder } from '../changes/diff-changes.ts'
import type { PendingRecord } from './pending-record.ts'

/** The most files that are shown, and the characters of all diffs together. */
const MOST_FILES = 1_000
const MOST_TEXT = 500_000

/** Shows pending changes file by file, compared with what lies in the workspace now. Folders that hold other changes are left out. */
export async function showPending(
  { changes, steps, startedAt }: PendingRecord,
  { run, workspace }: { readonly run: string; readonly workspace: string },
): Promise<readonly PendingFile[]> {
  const isConflicting = createIsAtOrBelow(findConflicts(changes, workspace, startedAt))
  const newContent = new Map(steps.flatMap((step) => (step.step === 'put' ? [[step.path, join(run, step.from)]] : [])))
  const shown: PendingFile[] = []
  let length = 0
  for (const [index, change] of changes.entries()) {
    const { path } = change
    if (isFilledFolder(change, changes[index + 1]) || shown.length >= MOST_FILES) continue
    const kind = change.kind === 'mode' ? 'changed' : change.kind
    const sides = { before: join(workspace, path), after: newContent.get(path) }
    const diff = length > MOST_TEXT ? '' : await diffEntries(path, sides)
    length += diff.length
    shown.push({ path, kind, diff, isConflicting: isConflicting(path) })
  }
  return shown
}
