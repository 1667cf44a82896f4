import type { Tool as ListedTool } from '@modelcontextprotocol/client'
import { isRecord, type JsonSchema } from '../../core/text/json.ts'
import { printable } from '../../core/text/printable.ts'
import { bounded } from './bounded.ts'

/** What a server says of a tool, bounded and without control characters. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly input: JsonSchema
  readonly output?: JsonSchema
  /** What the server claims of its effects, in words. Shown, never believed. */
  readonly claims?: string
}

/** The longest description that models are given; each turn pays for it. */
const MAX_DESCRIPTION = 8_000
/** What a registry takes. Checked here too, so that what is wrong with a server's tools is known in one place. */
const TOOL_NAME = /^[\w.:/-]{1,128}$/
/** How many levels a schema may have. */
const MAX_DEPTH = 100
/** The largest schema, in characters of JSON. */
const MAX_SCHEMA = 200_000

/** Reads the definition of a tool. Throws where it cannot be offered. */
export function readDefinition(listed: ListedTool, server: string): ToolDefinition {
  const { name, inputSchema, outputSchema, annotations } = listed
  const full = `${server}:${name}`
  if (!TOOL_NAME.test(full))
    throw new Error(`${quoted(full)} is not a valid tool name; at most 128 letters, digits and _ - . : / are expected`)
  for (const schema of [inputSchema, outputSchema])
    if (schema !== undefined && sizeOf(schema, name) > MAX_SCHEMA)
      throw new Error(`the schema of ${quoted(name)} is larger than ${MAX_SCHEMA / 1_000} KB`)
  const text = listed.description?.trim() || listed.title?.trim() || `The tool ${name} of the MCP server ${server}.`
  const claims = annotations && describeClaims(annotations)
  return {
    name,
    description: bounded(printable(bounded(text, MAX_DESCRIPTION)), MAX_DESCRIPTION),
    input: withObjectRoot(inputSchema),
    ...(isRecord(outputSchema) && { output: outputSchema }),
    ...(claims && { claims }),
  }
}

/** The size of a schema in characters. Throws where it is nested too deep: what reads it later calls itself for each level. */
function sizeOf(schema: JsonSchema, name: string): number {
  if (isDeeper(schema, MAX_DEPTH)) throw new Error(`the schema of ${quoted(name)} is nested too deep`)
  return JSON.stringify(schema).length
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((one) => isDeeper(one, depth - 1))
}

/** A name in a message, at most so long that the message stays readable. */
export function quoted(name: string): string {
  return JSON.stringify(printable(name.length > 80 ? `${name.slice(0, 80)}…` : name))
}

/** Some servers leave out the type, or the properties, of a tool without parameters. */
function withObjectRoot(schema: JsonSchema): JsonSchema {
  return { properties: {}, ...schema, type: 'object' }
}

function describeClaims(annotations: NonNullable<ListedTool['annotations']>): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations
  const claims = [
    ...(readOnlyHint === undefined ? [] : [readOnlyHint ? 'only reads' : 'changes things']),
    ...(destructiveHint === undefined || readOnlyHint ? [] : [destructiveHint ? 'may destroy' : 'destroys nothing']),
    ...(idempotentHint ? ['may be repeated'] : []),
    ...(openWorldHint === undefined ? [] : [openWorldHint ? 'reaches other systems' : 'reaches no other system']),
  ]
  return claims.join(', ')
}

/** The same for definitions that mean the same to a model: of name, description and schemas. */
export function digestOf({ name, description, input, output }: ToolDefinition): string {
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256')
    .update(JSON.stringify(sorted([name, description, input, output ?? null])))
    .digest('hex')
}

/** The same data with the keys of every object in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  )
}

/** The most changed lines that are compared: a server could make the comparison take for ever. */
const MAX_EDITS = 1_000
/** The longest difference that is shown, in characters. */
const MAX_DIFFERENCE = 20_000

/** Shows what differs between two definitions of a tool, as a diff. */
export async function diffDefinitions(before: ToolDefinition, after: ToolDefinition): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff')
  const options = { context: 2, headerOptions: FILE_HEADERS_ONLY, maxEditLength: MAX_EDITS }
  const [old, now] = [showDefinition(before), showDefinition(after)]
  const patch = createTwoFilesPatch('accepted', 'now', old, now, '', '', options)
  if (patch !== undefined) return bounded(patch.trimEnd(), MAX_DIFFERENCE)
  return `Little is left of it. It was:\n${bounded(old)}\nIt is now:\n${bounded(now)}`
}

function showDefinition({ description, input, output }: ToolDefinition): string {
  const schema = (value: JsonSchema) => JSON.stringify(sorted(value), undefined, 2)
  const parts = [description, `parameters ${schema(input)}`, ...(output ? [`result ${schema(output)}`] : [])]
  return printable(`${parts.join('\n')}\n`)
}
