import type { FilesCall, Kept, Replaced } from '../../core/ports/files.ts'
import { conflict } from '../file-errors.ts'
import { keepEntry } from './keep.ts'
import { stateOfEntry, stateOfKept } from './state.ts'
import type { TargetEntry } from './target-entry.ts'

/** The call that changes files, and where it reports what each change replaces. */
export interface Change {
  readonly call: FilesCall
  /** The largest file kept for undo, in bytes. */
  readonly keptLimit: number
  replaced(record: Replaced): void
  /** The same for many changes at once, which is much faster. */
  replacedAll?(records: readonly Replaced[]): void
}

/** Keeps an entry for undo and throws CONFLICT unless it is still what `prepare` saw. Called right before the effect. */
export function keepExpected(change: Change, given: string, { folder, name, stats }: TargetEntry): Kept | null {
  const kept = stats ? keepEntry({ folder, name, stats }, change.keptLimit) : null
  change.call.signal.throwIfAborted()
  const expected = change.call.expects[given]
  if (expected === undefined) return kept
  const now = kept && stats ? (stateOfKept(kept) ?? stateOfEntry(folder, name, stats)) : null
  if (now === expected) return kept
  throw conflict(given, `${describeChange(expected, now)} since it was read. Read it again.`, 'CHANGED')
}

function describeChange(expected: string | null, now: string | null): string {
  if (expected === null) return 'was created'
  return now === null ? 'was deleted' : 'has changed'
}

/** Returns a function that reports a new folder for undo. */
export function createFolderReporter(change: Change): (path: string) => void {
  return (path) => change.replaced({ call: change.call.id, path, before: null, after: null })
}
