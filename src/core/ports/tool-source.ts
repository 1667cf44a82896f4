import type { Rule } from '../rules/rule.ts'
import type { Origin, Skipped } from '../tool/snapshot.ts'
import type { Tool } from '../tool/tool.ts'

/** A tool with the file or server it comes from, and the line where it is defined. */
export interface LoadedTool {
  readonly tool: Tool
  readonly source: string
  readonly line?: number
}

/** The tools of a source, and what was skipped. */
export interface Loaded {
  readonly tools: readonly LoadedTool[]
  readonly skipped: readonly Skipped[]
  /** Rules that come with the tools; those of an earlier load of the same source no longer count. */
  readonly rules?: readonly Rule[]
}

/** Where tools come from: a folder, a server, a program. */
export interface ToolSource {
  readonly id: string
  readonly origin: Origin
  /** Rejects if nothing can be loaded at all. A file that takes long is reported as loading and loaded later, which is a change. A single invalid tool is skipped. What has not changed is loaded again only by force. */
  load(options?: { readonly force?: boolean }): Promise<Loaded>
  /** True while files are loading that may bring rules: until then a call could be judged without them. */
  awaitsRules?(): boolean
  /** Calls the listener when the tools have changed. Returns a function that stops this. */
  onChange?(listener: () => void): () => void
  /** False once calls of a tool that this source gave are run by later code; true where left out. */
  isCurrent?(tool: Tool): boolean
  /** True for two tools of one name that this source gave from files with the same content; false where left out. */
  isSame?(before: Tool, after: Tool): boolean
  close?(): Promise<void>
}
