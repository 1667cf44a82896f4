import type { CallRecord } from './call-record.ts'

/** A call that may have changed files of which nothing was kept, and why. */
export interface UnkeptCall {
  readonly record: CallRecord
  readonly reason: string
}

/** What `undo` without an id is about. */
export interface LastChange {
  /** The newest call in the workspace whose changes stand and were kept. */
  readonly change: CallRecord | undefined
  /** Newer calls that may have changed files of which nothing was kept, the newest first. */
  readonly skipped: readonly UnkeptCall[]
  /** The newest undo that worked, and the calls that it undid. */
  readonly undone: { readonly undo: CallRecord; readonly calls: readonly string[] } | undefined
}
