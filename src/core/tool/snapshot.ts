import type { JsonSchema } from '../text/json.ts'
import type { Alias } from './alias.ts'
import type { Tool } from './tool.ts'

/** Where a tool comes from; decides whether what it says of itself is believed. */
export type Origin = 'built-in' | 'code' | 'user' | 'project' | 'mcp'

/** True where a tool's own `effect` and `approval` may loosen a decision. */
export function isBelieved(origin: Origin): boolean {
  return origin !== 'project' && origin !== 'mcp'
}

/** A tool with the name models call it by, where it comes from, and its input as JSON Schema. */
export interface RegisteredTool {
  readonly tool: Tool
  readonly wireName: string
  /** The aliases that mean this tool; one whose name another tool has is not among them. */
  readonly aliases: readonly Alias[]
  readonly origin: Origin
  readonly source: string
  /** The line of its file where it is defined, where that is known. */
  readonly line?: number | undefined
  /** True where `background` in its arguments asks for a task; false where it is an argument of the tool's own. */
  readonly takesBackground: boolean
  /** What the tool itself takes. */
  readonly parameters: JsonSchema
  /** What a model is told that it takes: with `background`, where the tool may take long. */
  readonly offered: JsonSchema
  /** What it returns, where it says so. */
  readonly output: JsonSchema | undefined
}

/** True for tools that are offered whenever any tool is, and are never picked in a selection. */
export function isControl({ tool, origin }: Pick<RegisteredTool, 'tool' | 'origin'>): boolean {
  return tool.control === true && isBelieved(origin)
}

/** Something that was not taken as a tool, and why. */
export interface Skipped {
  readonly source: string
  readonly line?: number
  readonly reason: string
  /** True where the tool was taken all the same. */
  readonly isWarning?: true
}

/** One thing that is wrong with a value: where, what, and which JSON types would fit. */
export interface Issue {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly expected?: readonly string[]
}

/** What holding a value against a schema gave: what is wrong with it, and nothing when `issues` is empty. */
export interface Checked {
  readonly issues: readonly Issue[]
  /** What the author's schema library (Zod, any Standard Schema) made of the value: defaults filled in, transforms applied. */
  readonly parsed?: { readonly value: unknown }
}

/** A shape tool definitions can be asked in. */
export type DefinitionFormat = 'openai'

/** An immutable registry; a change makes a new one, calls under way keep theirs. */
export interface Snapshot {
  readonly tools: readonly RegisteredTool[]
  readonly skipped: readonly Skipped[]
  /** By id, wire name or alias, exactly. */
  find(name: string): RegisteredTool | undefined
  /** The names that come nearest to one that is not there, best first; a tool's own name in place of an alias. */
  nearest(name: string): readonly string[]
  /** A session's selection: tools by any of their names, MCP servers by theirs. What is absent means all, an empty list none. Control tools stay while any other tool does. Throws where there is no tool of a name. */
  only(tools: readonly string[] | undefined, mcpServers?: readonly string[]): Snapshot
  /** All definitions as JSON text, kept until the snapshot changes. */
  definitions(format: DefinitionFormat): string
  /** Holds arguments against a tool's input schema. A promise while a validator is being made, and for schemas of an author's library. */
  check(entry: RegisteredTool, input: unknown): Checked | Promise<Checked>
  /** What is wrong with what a tool returned; empty when nothing is, or when it has no output schema. */
  checkOutput(entry: RegisteredTool, data: unknown): readonly Issue[] | Promise<readonly Issue[]>
}
