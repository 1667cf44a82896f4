import type { JsonSchema } from '../text/json.ts'
import type { Alias } from './alias.ts'
import type { Tool } from './tool.ts'

/** Where a tool comes from. Decides whether its own `effect` and `approval` are trusted. */
export type Origin = 'built-in' | 'code' | 'user' | 'project' | 'mcp'

/** True if a tool's own `effect` and `approval` may make a decision less strict. */
export function isBelieved(origin: Origin): boolean {
  return origin !== 'project' && origin !== 'mcp'
}

/** A tool with its wire name, its origin and its input as JSON Schema. */
export interface RegisteredTool {
  readonly tool: Tool
  readonly wireName: string
  /** The aliases of this tool, without those whose name belongs to another tool. */
  readonly aliases: readonly Alias[]
  readonly origin: Origin
  readonly source: string
  /** The line of its file where it is defined, if known. */
  readonly line?: number | undefined
  /** True if `background` in its arguments requests a task; false if the tool defines that argument itself. */
  readonly takesBackground: boolean
  /** The parameters of the tool itself. */
  readonly parameters: JsonSchema
  /** The parameters that a model sees: with `background` if the tool may take long. */
  readonly offered: JsonSchema
  /** The output schema, if the tool has one. */
  readonly output: JsonSchema | undefined
}

/** True for control tools: offered whenever any tool is, and not part of a selection. */
export function isControl({ tool, origin }: Pick<RegisteredTool, 'tool' | 'origin'>): boolean {
  return tool.control === true && isBelieved(origin)
}

/** Returns the tools that a person selects and that are counted; control tools are always offered beside them. */
export function selectable(tools: readonly RegisteredTool[]): readonly RegisteredTool[] {
  return tools.filter((entry) => !isControl(entry))
}

/** Something that was not loaded as a tool, and why. */
export interface Skipped {
  readonly source: string
  readonly line?: number
  readonly reason: string
  /** True where the tool was taken all the same. */
  readonly isWarning?: true
  /** Where the file is still loading: since when, in milliseconds. */
  readonly loadingSince?: number
}

/** One problem of a value: where it is, what is wrong, and which JSON types are expected. */
export interface Issue {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly expected?: readonly string[]
}

/** The outcome of checking a value against a schema. The value is valid if `issues` is empty. */
export interface Checked {
  readonly issues: readonly Issue[]
  /** The value as parsed by the author's schema library (Zod, any Standard Schema): with defaults and transforms applied. */
  readonly parsed?: { readonly value: unknown }
}

/** A format of tool definitions. */
export type DefinitionFormat = 'openai'

/** An immutable set of tools. A change makes a new snapshot; running calls keep theirs. */
export interface Snapshot {
  readonly tools: readonly RegisteredTool[]
  readonly skipped: readonly Skipped[]
  /** Finds a tool by its exact id, wire name or alias. */
  find(name: string): RegisteredTool | undefined
  /** Returns the names most similar to an unknown name, best first. For an alias, the name of its tool. */
  nearest(name: string): readonly string[]
  /** Returns a selection of tools, by any of their names, and of MCP servers. An absent list means all, an empty one means none. Control tools stay as long as any other tool does; with `isExact` there is nothing but what is named, control tools and tools of MCP servers alike. Throws if there is no tool of that name. */
  only(tools: readonly string[] | undefined, mcpServers?: readonly string[], isExact?: boolean): Snapshot
  /** Returns these tools with those of MCP servers as a later snapshot has them; itself where nothing changes. An absent list means all servers. */
  withServers(later: Snapshot, mcpServers?: readonly string[]): Snapshot
  /** Returns all definitions as JSON text, computed once for each snapshot. */
  definitions(format: DefinitionFormat): string
  /** Checks arguments against a tool's input schema. Returns a promise while the validator is being compiled, and for schemas of an author's library. */
  check(entry: RegisteredTool, input: unknown): Checked | Promise<Checked>
  /** Checks what a tool returned. Empty if it is valid, or if the tool has no output schema. */
  checkOutput(entry: RegisteredTool, data: unknown): readonly Issue[] | Promise<readonly Issue[]>
}
