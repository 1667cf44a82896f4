import type { ReadFiles } from '../files.ts'

/** What to find, and how files are read for it. */
export interface CodeQuery {
  readonly query: string
  /** File or folder, relative to the workspace; `.` for all. */
  readonly path: string
  readonly limit: number
  readonly files: ReadFiles
  readonly signal: AbortSignal
  /** Called now and then while many files are read. */
  progress(text: string): void
}

/** A piece of code: a function, a class, or some lines. */
export interface CodeHit {
  readonly path: string
  readonly line: number
  readonly endLine: number
  /** Name of the function or class; empty for lines outside any. */
  readonly name: string
  readonly score: number
  /** Its first lines. */
  readonly text: string
}

/** What was found, the best first. */
export interface CodeFindings {
  readonly hits: readonly CodeHit[]
  /** How many files are in the index. */
  readonly files: number
  /** True if the index is full and files are missing from it. */
  readonly isPartial: boolean
  /** Why the ranking by meaning is missing, or covers only a part; undefined if nothing is. */
  readonly note?: string
}

/** Finds code by meaning in one workspace. */
export interface CodeSearch {
  /** Brings the index up to date and searches it. */
  search(query: CodeQuery): Promise<CodeFindings>
  /** Stops watching, and writes nothing more. */
  close(): void
}
