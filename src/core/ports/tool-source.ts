import type { Origin, Skipped } from '../tool/snapshot.ts'
import type { Tool } from '../tool/tool.ts'

/** The tools of a source, each with the file or server it comes from, and what was skipped. */
export interface Loaded {
  readonly tools: readonly { readonly tool: Tool; readonly source: string }[]
  readonly skipped: readonly Skipped[]
}

/** Where tools come from: a folder, a server, a program. */
export interface ToolSource {
  readonly id: string
  readonly origin: Origin
  /** Rejects if nothing can be loaded at all. A single invalid tool is skipped. */
  load(): Promise<Loaded>
  /** Calls the listener when the tools have changed. Returns a function that stops this. */
  onChange?(listener: () => void): () => void
  close?(): Promise<void>
}
