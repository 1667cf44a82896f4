import type { CallRecord } from './call-record.ts'
import type { ChangedFilter } from './store.ts'

/** A call that may have changed files without anything being kept for undo. */
export interface UnkeptChange {
  readonly call: string
  readonly workspace: string
  /** Why nothing was kept, in words for a person. */
  readonly reason: string
}

/** The same with what the log says of the call. */
export interface UnkeptCall {
  readonly record: CallRecord
  readonly reason: string
}

/** That a call was undone, or is being undone right now, and by which call. */
export interface UndoMark {
  readonly call: string
  readonly undo: string
  readonly isRunning: boolean
}

/** What the log knows of undoing beside the contents it keeps. */
export interface UndoStore {
  /** Records that a call may have changed files of which nothing is kept. Never throws; written with the next commit. */
  noteUnkept(change: UnkeptChange): void
  /** Calls that were recorded so, the newest first. */
  unkeptCalls(filter?: ChangedFilter): readonly UnkeptCall[]
  /** Who has undone this call, or is at it; undefined where its changes stand. */
  undoOf(call: string): UndoMark | undefined
  /** Claims these calls for one undo, all or none, so that of several processes one undoes them. Returns what stands in the way, undefined when they are claimed. Throws UNAVAILABLE. */
  claimUndo(calls: readonly string[], undo: string): UndoMark | undefined
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
