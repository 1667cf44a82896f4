import type { Replaced } from './files.ts'

/** What a change replaced, with its workspace. */
export interface KeptReplaced extends Replaced {
  readonly workspace: string
}

/** A call that may have changed files without keeping anything for undo. */
export interface UnkeptChange {
  readonly call: string
  readonly workspace: string
  /** Why nothing was kept, as a message for people. */
  readonly reason: string
}

/** Marks a call that was undone or is being undone, with the call that undoes it. */
export interface UndoMark {
  readonly call: string
  readonly undo: string
  readonly isRunning: boolean
}

/** Whose changes to list. */
export interface ChangeFilter {
  readonly workspace?: string
  /** The most entries to return; 100 when left out. */
  readonly limit?: number
}

/** Stores what changes to files replaced, on the machine of the workspace. Synchronous, because a file must not change before this is written. */
export interface UndoStore {
  /** Stores what a change replaces; committed when it returns. Throws UNAVAILABLE; then the change must not be made. Equal contents are stored once. Content over the limit is not stored and reads back as null. */
  keep(record: KeptReplaced): void
  /** The same for many records in one commit. */
  keepAll(records: readonly KeptReplaced[]): void
  /** Forgets what a call's changes replaced. Throws UNAVAILABLE. */
  forget(call: string): void
  /** The undo calls in a workspace that a dead process left unfinished and that still have records. */
  interruptedUndos(workspace: string): readonly string[]
  /** Returns what the changes of a call replaced, in order. Undo applies them in reverse. */
  by(call: string): readonly KeptReplaced[]
  /** Returns the ids of calls that changed files, the newest first. */
  changedCalls(filter?: ChangeFilter): readonly string[]
  /** Records that a call may have changed files without keeping what it replaced. Never throws; written with the next commit. */
  noteUnkept(change: UnkeptChange): void
  /** Returns the calls recorded by `noteUnkept`, the newest first. */
  unkeptCalls(filter?: ChangeFilter): readonly UnkeptChange[]
  /** Returns which call has undone this call or is undoing it, or undefined. */
  undoOf(call: string): UndoMark | undefined
  /** Claims these calls for one undo, all or none, so that only one process undoes them. Returns the mark that prevents this, or undefined when they are claimed. Throws UNAVAILABLE. */
  claimUndo(calls: readonly string[], undo: string): UndoMark | undefined
}
