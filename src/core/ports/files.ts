/** The types of entries in a listing. Fifos, sockets and devices are not listed and cannot be read. */
export type FileType = 'file' | 'directory' | 'symlink'

/** What is at a path; `path` is its real location, relative to the workspace. */
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

/** The bytes of a file, with facts from the same descriptor that the bytes were read from. */
export interface FileContent extends FileFacts {
  readonly bytes: Uint8Array
}

/** The same as text; undefined if the bytes are not UTF-8. */
export interface FileText extends FileFacts {
  readonly text: string | undefined
}

/** Full lines of a file, counted from 1; `total` is absent if the end of the file was not reached. */
export interface FileLines extends FileFacts {
  readonly bytes: Uint8Array
  readonly from: number
  readonly to: number
  readonly total?: number
}

/** The location of a change and what it would replace. */
export interface Target {
  /** Its real location, relative to the workspace, with links resolved. */
  readonly path: string
  readonly current: FileFacts | undefined
  /** False if a parent folder is missing. */
  readonly hasFolder: boolean
  /** True where other programs execute or trust what lies there. */
  readonly isTrusted: boolean
}

/** How a folder tree is listed. */
export interface WalkOptions {
  /** Include entries whose names start with a dot, and what is below them. */
  readonly hidden?: boolean
  /** Leave out what .gitignore files exclude. */
  readonly ignore?: boolean
  /** How many entries to skip. */
  readonly offset?: number
  readonly limit: number
  /** Only files that match: by name if the glob has no slash, else by path below the folder. */
  readonly glob?: string
  readonly signal?: AbortSignal
}

/** A page of a listing; `more` is true if entries are left. */
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
  /** Lines of context before and after each hit. */
  readonly context?: number
  readonly limit: number
  readonly signal: AbortSignal
}

/** One line of a search result; `match` is false for a line of context. */
export interface TextHit {
  readonly path: string
  readonly line: number
  readonly text: string
  readonly match: boolean
}

/** Which state of a path to compare: its content, or the entry itself with links not followed. */
export type StateOf = 'content' | 'entry'

/** States of files as `left` returns them, by path, each with the facts of the file when it was read. */
export type KnownStates = Map<string, { readonly facts: string; readonly state: string }>

/** Read access to the files of the workspace. Paths are relative to the workspace. Every method throws ToolError if access is refused. */
export interface ReadFiles {
  /** The largest file that is kept when it is replaced, in bytes. Undo cannot restore larger ones. */
  readonly keptLimit: number
  /** Facts about the path itself, links not followed. Refuses a path that does not exist or may not be changed. */
  existing(path: string): FileFacts
  /** The path itself as the target of a change, links not followed. Refuses a path that may not be changed. */
  changeable(path: string): Target
  /** The target of a write to this path, links followed. Refuses a path that may not be written. */
  writable(path: string): Target
  /** True if something is at this path inside the workspace, links followed. Much cheaper than a read that is refused, which explains what is missing. */
  isThere(path: string): boolean
  /** Reads a regular file of at most `limit` bytes. Links are followed if they end inside the workspace. */
  read(path: string, limit: number): FileContent
  /** Reads a file as text, without keeping its bytes. */
  readText(path: string, limit: number): FileText
  /** Reads the lines `from` to `to`, at most `limit` bytes. */
  readLines(path: string, lines: { from: number; to: number; limit: number }): FileLines
  /** Returns the state of a path for `expects`, or null if nothing is there. */
  state(path: string, of: StateOf): string | null
  /** Returns the state of the path itself in the form of `Replaced.after`; also for what `git init` creates. */
  left(path: string): string | null
  /** Passes a faster `left` for many paths to `work`, during which nothing may change. Fills `known`, and does not read a file again that is in it and did not change since. */
  withLeft<T>(work: (left: (path: string) => string | null) => T, known?: KnownStates): T
  /** Returns the unified diff between the current and the new content of a file; undefined if either is not text or they differ too much. */
  diff(path: string, bytes: Uint8Array): Promise<string | undefined>
  /** Lists one folder, sorted by name. */
  list(path: string, options: { hidden: boolean; offset?: number; limit: number }): Listing
  /** Lists a folder tree: each folder before its entries, sorted by name unless a glob is given. Never follows a link. */
  walk(path: string, options: WalkOptions): Promise<Listing>
  /** Searches text. Passes on each hit as it is found, and resolves to true if there were more than the limit. */
  search(query: TextQuery, found: (hits: readonly TextHit[]) => void): Promise<boolean>
}

/** Write access to the files of the workspace on behalf of one call. Before each change, what it replaces is kept for undo. */
export interface Files extends ReadFiles {
  /** Writes a file completely or not at all. */
  write(path: string, bytes: Uint8Array, options?: { createParents?: boolean }): FileFacts
  /** Deletes a file, a link (never what it points to) or a folder; returns every deleted path, in order. */
  delete(path: string, options?: { recursive?: boolean }): readonly string[]
  /** Renames a path. Replaces what is at `to` only if `overwrite` is set. */
  move(from: string, to: string, options?: { overwrite?: boolean }): void
  /** Restores what was kept, with its mode, and replaces whatever is there. Null removes a file, a link or an empty folder; on a protected path this is the only permitted change, so that `git init` can be undone. */
  restore(path: string, kept: Kept | null): void
  /** Restores many entries in order and records what they replace in few commits, which is much faster. A folder that is to be removed and is not empty stays; returns those folders. */
  restoreAll(entries: readonly RestoredEntry[]): readonly string[]
  /** Removes the temporary files that a dead process left beside these paths. */
  sweep(paths: readonly string[]): void
}

/** An entry to restore, and what was kept of it; null where nothing was there. */
export interface RestoredEntry {
  readonly path: string
  readonly kept: Kept | null
}

/** Returns the rule that denies reading a path, or undefined. The path is relative to the workspace, with links resolved. */
export type FindDeny = (path: string) => { readonly rule: string; readonly reason: string } | undefined

/** The call that changes files, and the states of files that it saw before. */
export interface FilesCall {
  readonly id: string
  readonly expects: Readonly<Record<string, string | null>>
  /** No change is made after it is aborted. */
  readonly signal: AbortSignal
  readonly findDeny?: FindDeny
}

/** Guarded access to the files of a workspace. */
export interface GuardedFiles {
  /** Access before the commit point: every change is refused. */
  looking(findDeny?: FindDeny): Files
  /** Access with the right to change files, for one call. */
  forCall(call: FilesCall): Files
}

/** What was at a path before a change; `bytes` is null for a file that is too large to keep or may not be read. */
export type Kept =
  | { readonly type: 'file'; readonly mode: number; readonly bytes: Uint8Array | null }
  | { readonly type: 'symlink'; readonly target: string }
  | { readonly type: 'directory'; readonly mode: number }

/** One change, reported right before it is made, so the change itself may have failed. Undoing a call undoes in reverse order the changes that were made. */
export interface Replaced {
  readonly call: string
  /** Relative to the workspace, links resolved. */
  readonly path: string
  /** Null if nothing was there. */
  readonly before: Kept | null
  /** The state after the change: a content hash, `link …`, or `folder` if only its mode changes. Null if the path was deleted or moved, or became a folder. */
  readonly after: string | null
  /** Where it was moved from. */
  readonly movedFrom?: string
}
