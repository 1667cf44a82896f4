import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { ToolDefinition } from '../../src/core/ports/model.ts'
import { isRecord } from '../../src/core/text/json.ts'
import type { TextReading } from '../../src/models/text-calls/read-text-calls.ts'

/** The schemas of a case file in their short form: `"recursive?": "boolean"`. */
export type ShortSchemas = Readonly<Record<string, Readonly<Record<string, string>>>>

interface Expected {
  readonly calls: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[]
  readonly text?: string | null
  readonly incomplete?: boolean
}

/** A reply and what it must be read as. */
export interface TextCallCase {
  readonly id: string
  /** Wire names of the offered tools; all that the file defines when absent. */
  readonly tools?: readonly string[]
  /** The rule that the case is about, the family of models and the shape, in our own cases. */
  readonly rule?: string
  readonly family?: string
  readonly shape?: string
  readonly text: string
  readonly expect: Expected
  readonly accept?: readonly Expected[]
  readonly textCheck?: boolean
}

export interface TextCallCases {
  /** What cases without `tools` offer; all tools when absent. */
  readonly offered?: readonly string[]
  readonly toolSchemas: ShortSchemas
  readonly cases: readonly TextCallCase[]
}

/** Reads a case file of `test/data`. */
export function loadTextCallCases(name: string): TextCallCases {
  return JSON.parse(readFileSync(new URL(`../data/${name}`, import.meta.url), 'utf8'))
}

/** Returns the definitions of the tools that a case offers. */
export function toolsOfCase(
  { toolSchemas, offered }: TextCallCases,
  { tools = offered ?? Object.keys(toolSchemas) }: Pick<TextCallCase, 'tools'>,
): ToolDefinition[] {
  return toolsOf(toolSchemas, tools)
}

function toolsOf(schemas: ShortSchemas, names: readonly string[]): ToolDefinition[] {
  return names.map((name) => {
    const entries = Object.entries(schemas[name] ?? {})
    const properties = entries.map(([key, type]) => [key.replace('?', ''), schemaOf(type)] as const)
    const required = entries.filter(([key]) => !key.endsWith('?')).map(([key]) => key)
    const parameters = { type: 'object', properties: Object.fromEntries(properties), required }
    return { name, description: name, parameters }
  })
}

function schemaOf(type: string): { readonly type: string } {
  return { type: type.split(' ')[0] ?? 'string' }
}

/** Scores a reading by the rules of the case file; returns what is wrong with it. */
export function scoreCase(schemas: ShortSchemas, one: TextCallCase, reading: TextReading): string | undefined {
  const problems = [one.expect, ...(one.accept ?? [])].map((expected) => compare(schemas, { one, expected, reading }))
  return problems.includes(undefined) ? undefined : problems.join(' / ')
}

interface Comparison {
  readonly one: TextCallCase
  readonly expected: Expected
  readonly reading: TextReading
}

function compare(schemas: ShortSchemas, { one, expected, reading }: Comparison): string | undefined {
  const coerced = (calls: Expected['calls']): unknown =>
    calls.map(({ name, arguments: given }) => ({ name, arguments: coerce(given, schemas[name] ?? {}) }))
  const actual = reading.calls.map(({ name, arguments: given }) => ({ name, arguments: isRecord(given) ? given : {} }))
  if (!isDeepStrictEqual(coerced(actual), coerced(expected.calls))) return `calls ${JSON.stringify(actual)}`
  if (expected.incomplete && !reading.isIncomplete) return 'not flagged as cut off'
  if (one.textCheck === false || expected.text === undefined) return undefined
  const [shown, wanted] = [collapse(reading.text), collapse(expected.text ?? '')]
  return shown === wanted ? undefined : `text ${JSON.stringify(shown)}, not ${JSON.stringify(wanted)}`
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Reads booleans, integers, arrays and objects that were given as text; strings stay as they are. */
function coerce(given: Readonly<Record<string, unknown>>, types: Readonly<Record<string, string>>): unknown {
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      const type = types[key] ?? types[`${key}?`] ?? 'string'
      if (typeof value !== 'string' || type === 'string') return [key, value]
      try {
        return [key, JSON.parse(value)]
      } catch {
        return [key, value]
      }
    }),
  )
}
