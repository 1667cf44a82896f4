import { messageOf } from '../../core/call/result.ts'
import { isRecord } from '../../core/text/json.ts'

/** The interface of a schema library for JSON Schema conversion. */
export interface JsonSchemaMaker {
  input(options: { target: string }): unknown
}

/** Returns the JSON Schema converter of a Standard Schema, or undefined. */
export function findMaker(schema: unknown): JsonSchemaMaker | undefined {
  const standard: unknown = schemaMember(schema, '~standard')
  const maker: unknown = schemaMember(standard, 'jsonSchema')
  return isRecord(maker) && typeof maker.input === 'function' ? (maker as unknown as JsonSchemaMaker) : undefined
}

/** Explains which field of a Zod schema JSON Schema cannot express and what to write instead; for other libraries returns their message. */
export function explainUnwritable(schema: unknown, thrown: unknown, use: 'input' | 'output'): string {
  const found = zodKind(schema) === undefined ? undefined : findField(schema, '', 0)
  const field = found?.path ? `the field "${found.path}" cannot be used: ` : ''
  const advice = found === undefined ? ADVICE : use === 'output' ? OUTPUT_ADVICE : inputAdvice(zodKind(found.schema))
  return `${field}${messageOf(thrown)}. ${advice}`
}

const ADVICE = 'Use only types that JSON supports.'
const OUTPUT_ADVICE = 'A result is JSON: return text and write z.iso.datetime() or z.string().'

/** Zod replacements for types that a model cannot send. */
const INSTEAD: Readonly<Record<string, string>> = {
  date: 'z.iso.datetime().transform((text) => new Date(text))',
  bigint: 'z.string().regex(/^-?\\d+$/).transform(BigInt)',
  map: 'z.record(z.string(), …).transform((given) => new Map(Object.entries(given)))',
  set: 'z.array(…).transform((items) => new Set(items))',
}

function inputAdvice(kind = ''): string {
  return `Models send JSON: write ${INSTEAD[kind] ?? 'z.string().transform((text) => …)'}`
}

interface Field {
  readonly path: string
  readonly schema: unknown
}

/** The depth limit of the search, since a schema may contain itself. */
const MAX_DEPTH = 20

/** Finds the innermost schema that cannot be converted, and its path. */
function findField(schema: unknown, path: string, depth: number): Field | undefined {
  if (depth > MAX_DEPTH || canBeWritten(schema)) return undefined
  for (const [part, child] of childrenOf(schema)) {
    const found = findField(child, path === '' || part.startsWith('[') ? path + part : joinPath(path, part), depth + 1)
    if (found) return found
  }
  return { path, schema }
}

function joinPath(path: string, part: string): string {
  return part === '' ? path : `${path}.${part}`
}

function canBeWritten(schema: unknown): boolean {
  try {
    findMaker(schema)?.input({ target: 'draft-2020-12' })
    return true
  } catch {
    return false
  }
}

/** Returns the inner schemas of a Zod schema, each with its path segment: a key, `[]` for an item, empty for a wrapped schema. */
function childrenOf(schema: unknown): [string, unknown][] {
  const { shape, element, innerType, in: first, out, options, items, valueType, left, right } = zodDefinition(schema)
  const wrapped = [innerType, first, out, left, right, ...listOf(options)]
  const inside = [element, valueType, ...listOf(items)]
  return [
    ...(isRecord(shape) ? Object.entries(shape) : []),
    ...inside.map((child): [string, unknown] => ['[]', child]),
    ...wrapped.map((child): [string, unknown] => ['', child]),
  ].filter(([, child]) => child !== undefined)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function zodDefinition(schema: unknown): Record<string, unknown> {
  const definition = schemaMember(schemaMember(schema, '_zod'), 'def')
  return isRecord(definition) ? definition : {}
}

function zodKind(schema: unknown): string | undefined {
  const { type } = zodDefinition(schema)
  return typeof type === 'string' ? type : undefined
}

/** Returns a member of a schema, which may be an object or, in ArkType, a function. */
function schemaMember(value: unknown, key: string): unknown {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return undefined
  return Reflect.get(value, key)
}
