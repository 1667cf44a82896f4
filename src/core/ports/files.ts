/** What a listing tells apart; fifos, sockets and devices are not shown and cannot be read. */
export type FileType = 'file' | 'directory' | 'symlink'

/** What lies at a path; `path` is where it really lies, relative to the workspace. */
export interface FileFacts {
  readonly path: string
  readonly type: FileType
  readonly size: number
  /** ISO 8601. */
  readonly modified: string
}

/** One entry of a listing; `name` is the path below the folder that was listed. */
export interface FileEntry {
  readonly name: string
  readonly type: FileType
  readonly size: number
  readonly modified: string
}

/** The bytes of a file and the facts of the very descriptor they were read from. */
export interface FileContent extends FileFacts {
  readonly bytes: Uint8Array
}

/** The same as text; undefined when the bytes are no UTF-8. */
export interface FileText extends FileFacts {
  readonly text: string | undefined
}

/** Whole lines of a file, counted from 1; `total` is absent while the end was not reached. */
export interface FileLines extends FileFacts {
  readonly bytes: Uint8Array
  readonly from: number
  readonly to: number
  readonly total?: number
}

/** Where a change would land and what it would replace. */
export interface Target {
  /** Where it really lands, relative to the workspace, links resolved. */
  readonly path: string
  readonly current: FileFacts | undefined
  /** False when folders on the way are missing. */
  readonly hasFolder: boolean
}

/** How a tree is walked. */
export interface WalkOptions {
  /** Entries whose names start with a dot, and what lies below them. */
  readonly hidden?: boolean
  /** Leave out what .gitignore files name. */
  readonly ignore?: boolean
  /** Entries passed over before the first one that is returned. */
  readonly offset?: number
  readonly limit: number
  /** Only files that it fits: by name when it has no slash, else by path below the folder. */
  readonly glob?: string
  readonly signal?: AbortSignal
}

/** A piece of a listing; `more` says that entries are left. */
export interface Listing {
  readonly entries: readonly FileEntry[]
  readonly more: boolean
}

/** What to look for in files. */
export interface TextQuery {
  readonly pattern: string
  readonly path: string
  readonly glob?: string
  readonly regex?: boolean
  readonly ignoreCase?: boolean
  /** Lines shown before and after each hit. */
  readonly context?: number
  readonly limit: number
  readonly signal: AbortSignal
}

/** One line that a search shows; `match` is false for a line of context. */
export interface TextHit {
  readonly path: string
  readonly line: number
  readonly text: string
  readonly match: boolean
}

/** How to tell that what lies at a path is still what was seen: its content, or the entry itself with links not followed. */
export type StateOf = 'content' | 'entry'

/** The files of the workspace, to look at. Every method throws ToolError where the workspace refuses; paths are relative to it. */
export interface ReadFiles {
  /** The largest file that is kept when it is replaced, in bytes: larger ones cannot be put back. */
  readonly keptLimit: number
  /** What lies at the path itself, a link not followed. Refuses what is not there or may not be changed. */
  existing(path: string): FileFacts
  /** The path itself as the place of a change, a link not followed. Refuses what may not be changed. */
  changeable(path: string): Target
  /** Where a write to this path would land, links followed. Refuses what may not be written. */
  writable(path: string): Target
  /** The whole of a regular file of at most `limit` bytes; links are followed while they end inside. */
  read(path: string, limit: number): FileContent
  /** The same as text, without keeping the bytes. */
  readText(path: string, limit: number): FileText
  /** The lines `from` to `to`, at most `limit` bytes of them. */
  readLines(path: string, lines: { from: number; to: number; limit: number }): FileLines
  /** A hash for `expects`, or null when nothing lies there. */
  state(path: string, of: StateOf): string | null
  /** What lies at the path itself, as `Replaced.after` tells what a change left; also for the parts of a repository that `git init` makes. */
  left(path: string): string | null
  /** The unified diff between what a file holds and what it would hold; undefined where either is no text or they differ too much. */
  diff(path: string, bytes: Uint8Array): Promise<string | undefined>
  /** The entries of one folder, by name. */
  list(path: string, options: { hidden: boolean; offset?: number; limit: number }): Listing
  /** The entries of a tree, folders before what lies in them, by name unless a glob chooses; never follows a link. */
  walk(path: string, options: WalkOptions): Promise<Listing>
  /** Searches text; hands over hits as they come and resolves to whether there were more than the limit. */
  search(query: TextQuery, found: (hits: readonly TextHit[]) => void): Promise<boolean>
}

/** The files of the workspace, to change, on behalf of one call. What a change replaces is handed over for undo first. */
export interface Files extends ReadFiles {
  /** Puts a file in place, whole or not at all. */
  write(path: string, bytes: Uint8Array, options?: { createParents?: boolean }): FileFacts
  /** Deletes a file, a link (never what it points to) or a folder; returns every path that went, in order. */
  delete(path: string, options?: { recursive?: boolean }): readonly string[]
  /** Renames; replaces what lies at `to` only when told to. */
  move(from: string, to: string, options?: { overwrite?: boolean }): void
  /** Puts back what was kept, mode and all, in place of whatever lies there; null removes a file, a link or an empty folder, and is the one change that may be made to a protected path: to what `git init` puts there. */
  restore(path: string, kept: Kept | null): void
}

/** The rule that denies reading a path, which is relative to the workspace with links resolved; undefined where it may be read. */
export type FindDeny = (path: string) => { readonly rule: string; readonly reason: string } | undefined

/** In whose name files are changed, and what that call saw before. */
export interface FilesCall {
  readonly id: string
  readonly expects: Readonly<Record<string, string | null>>
  /** Once it is aborted nothing is changed any more. */
  readonly signal: AbortSignal
  readonly findDeny?: FindDeny
}

/** The guarded door to a workspace's files. */
export interface GuardedFiles {
  /** For before the commit point: every change is refused. */
  looking(findDeny?: FindDeny): Files
  /** With the right to change, in the name of a call. */
  forCall(call: FilesCall): Files
}

/** What lay at a path before a change; `bytes` is null for a file that is too large to keep or may not be read. */
export type Kept =
  | { readonly type: 'file'; readonly mode: number; readonly bytes: Uint8Array | null }
  | { readonly type: 'symlink'; readonly target: string }
  | { readonly type: 'directory'; readonly mode: number }

/** One change, told right before it happens, so it may have failed after all: undoing a call means undoing, in reverse, those that did. */
export interface Replaced {
  readonly call: string
  /** Relative to the workspace, links resolved. */
  readonly path: string
  /** Null when nothing was there. */
  readonly before: Kept | null
  /** The state that the change leaves behind: a content hash, `link …`, `folder` where only its mode changes, or null where nothing is left or it was made a folder or moved. */
  readonly after: string | null
  /** Where it was moved from. */
  readonly movedFrom?: string
}
