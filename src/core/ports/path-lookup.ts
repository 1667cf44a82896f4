/** What lies at a path. A link counts as a file, whatever it leads to. */
export type PathKind = 'file' | 'folder' | 'none' | 'unknown'

/** What is known to exist without looking: of a recorded call, or of the examples of a rule. */
export interface KnownPaths {
  /** Path, relative to the workspace and as it is shown, → what lies there. */
  readonly paths: Readonly<Record<string, PathKind>>
  /** What lies at every other path. */
  readonly otherwise: 'none' | 'unknown'
}

/** The most entries of folders that are looked at to answer one question. */
export const MAX_LOOKED_AT = 1_000

/** Tells the judge what exists in the workspace. Reads names only, never content, and never throws. */
export interface PathLookup {
  /** What lies at an absolute path. */
  kindOf(path: string): PathKind
  /** What the entries below a folder that match are, a file rather than a folder, with at most MAX_LOOKED_AT entries looked at; `unknown` where there are more. */
  findBelow(folder: string, matches: (path: string) => boolean): PathKind
}
