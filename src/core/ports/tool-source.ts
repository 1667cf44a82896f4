import type { Rule } from '../rule.ts'
import type { Origin, Skipped } from '../snapshot.ts'
import type { Tool } from '../tool.ts'

/** What a source gave: its tools, each with the file or server it comes from, and what could not be taken. */
export interface Loaded {
  readonly tools: readonly { readonly tool: Tool; readonly source: string }[]
  readonly skipped: readonly Skipped[]
  /** Rules that come with the tools; those of an earlier load of the same source no longer count. */
  readonly rules?: readonly Rule[]
}

/** Where tools come from: a folder, a server, a program. */
export interface ToolSource {
  readonly id: string
  readonly origin: Origin
  /** Rejects where nothing can be loaded at all; a tool that is wrong is skipped alone. */
  load(): Promise<Loaded>
  /** Calls the listener when loading again would give something else; returns how to stop. */
  onChange?(listener: () => void): () => void
  close?(): Promise<void>
}
