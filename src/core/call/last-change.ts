import type { CallRecord } from './call-record.ts'

/** A call that may have changed files without keeping what it replaced, and why nothing was kept. */
export interface UnkeptCall {
  readonly record: CallRecord
  readonly reason: string
}

/** The change that `undo` without an id would undo. */
export interface LastChange {
  /** The newest call in the workspace whose changes can be undone. */
  readonly change: CallRecord | undefined
  /** Newer calls that may have changed files but cannot be undone, the newest first. */
  readonly skipped: readonly UnkeptCall[]
  /** The newest successful undo and the calls that it undid. */
  readonly undone: { readonly undo: CallRecord; readonly calls: readonly string[] } | undefined
}
