/** A file as it was: what undo compares and puts back. */
export interface FileState {
  /** SHA-256 of the content, in hex. */
  readonly hash: string
  readonly size: number
  /** Permission bits. */
  readonly mode: number
}

/** What one call did to one path; null means absent. Folders and links are not contents: a kind tells them. */
export interface FileChange {
  readonly session: string
  readonly call: string
  /** Absolute, so that undo works from any workspace. */
  readonly path: string
  readonly before: FileState | null
  readonly after: FileState | null
}

/** A change with its place: undo goes through them last first. */
export type KeptChange = FileChange & { readonly id: number; readonly at: number }

/** What became of a content that was handed over to be kept. */
export type KeptContent =
  | { readonly kept: true; readonly hash: string }
  | { readonly kept: false; readonly hash: string; readonly reason: string }
