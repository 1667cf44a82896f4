import type { FilesCall, Kept, Replaced } from '../../core/ports/files.ts'
import { conflict } from '../file-errors.ts'
import { keepEntry } from './keep.ts'
import type { Place } from './place.ts'
import { stateOfEntry, stateOfKept } from './state.ts'

/** In whose name files are changed, and who hears what a change replaces. */
export interface Change {
  readonly call: FilesCall
  /** The largest file that is kept for undo, in bytes. */
  readonly keptLimit: number
  replaced(record: Replaced): void
}

/** Keeps what lies at a place and makes sure that it still is what `prepare` saw. Called right before the effect. */
export function keepExpected(change: Change, given: string, { folder, name, stats }: Place): Kept | null {
  const kept = stats ? keepEntry({ folder, name, stats }, change.keptLimit) : null
  change.call.signal.throwIfAborted()
  const expected = change.call.expects[given]
  if (expected === undefined) return kept
  const now = kept && stats ? (stateOfKept(kept) ?? stateOfEntry(folder, name, stats)) : null
  if (now === expected) return kept
  throw conflict(given, `${describeChange(expected, now)} since it was looked at. Look at it again.`, 'CHANGED')
}

function describeChange(expected: string | null, now: string | null): string {
  if (expected === null) return 'has appeared'
  return now === null ? 'has gone' : 'has changed'
}

/** Hands over for undo that a folder is made. */
export function makingFolder(change: Change): (path: string) => void {
  return (path) => change.replaced({ call: change.call.id, path, before: null, after: null })
}
