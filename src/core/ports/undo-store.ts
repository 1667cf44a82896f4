import type { Replaced } from './files.ts'

/** What a change replaced, and in which workspace. */
export interface KeptReplaced extends Replaced {
  readonly workspace: string
}

/** A call that may have changed files without anything being kept for undo. */
export interface UnkeptChange {
  readonly call: string
  readonly workspace: string
  /** Why nothing was kept, in words for a person. */
  readonly reason: string
}

/** That a call was undone, or is being undone right now, and by which call. */
export interface UndoMark {
  readonly call: string
  readonly undo: string
  readonly isRunning: boolean
}

/** Whose changes to list. */
export interface ChangeFilter {
  readonly workspace?: string
  /** At most so many; 100 when not given. */
  readonly limit?: number
}

/** What changes of files replaced, on the machine of the workspace. Synchronous: a file must not change before this is written. */
export interface UndoStore {
  /** Keeps what a change replaces, committed when it returns; throws UNAVAILABLE, and then the change must not happen. Contents are kept once, by hash; one over the limit is not, and reads back as null. */
  keep(record: KeptReplaced): void
  /** The same for many records in one commit. */
  keepAll(records: readonly KeptReplaced[]): void
  /** Forgets what a call's changes replaced. Throws UNAVAILABLE. */
  forget(call: string): void
  /** The undo calls in a workspace that a dead process left unfinished and that still have records. */
  interruptedUndos(workspace: string): readonly string[]
  /** What a call's changes replaced, in order; undoing them means going backwards. */
  by(call: string): readonly KeptReplaced[]
  /** The ids of calls that changed files, the newest first. */
  changedCalls(filter?: ChangeFilter): readonly string[]
  /** Records that a call may have changed files of which nothing is kept. Never throws; written with the next commit. */
  noteUnkept(change: UnkeptChange): void
  /** Calls that were recorded so, the newest first. */
  unkeptCalls(filter?: ChangeFilter): readonly UnkeptChange[]
  /** Who has undone this call, or is at it; undefined where its changes stand. */
  undoOf(call: string): UndoMark | undefined
  /** Claims these calls for one undo, all or none, so that of several processes one undoes them. Returns what stands in the way, undefined when they are claimed. Throws UNAVAILABLE. */
  claimUndo(calls: readonly string[], undo: string): UndoMark | undefined
}
