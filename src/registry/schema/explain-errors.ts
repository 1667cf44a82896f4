import type { ErrorObject } from 'ajv'
import { isRecord, type JsonSchema } from '../../core/text/json.ts'
import { nearest } from '../../core/text/nearest.ts'
import type { Issue } from '../../core/tool/snapshot.ts'

/** How many unknown keys are compared with the known ones, since each comparison takes time. */
const COMPARED = 20
/** With how many known keys they are compared, and how many of these a message names. */
const CANDIDATES = 1_000
const NAMED = 40
/** How many errors are explained. */
const EXPLAINED = 10_000

/** Explains a validator's errors for a model: where, what was expected, what was given, which keys exist. */
export function explainErrors(errors: readonly ErrorObject[], value: unknown, schema: JsonSchema): Issue[] {
  const issues = errors
    .slice(0, EXPLAINED)
    .filter(({ keyword }) => keyword !== 'if')
    .map((error, index) => explain(error, { value, schema, compare: index < COMPARED }))
  return [...new Map(issues.map((issue) => [issue.message, issue])).values()]
}

interface Explained {
  readonly value: unknown
  readonly schema: JsonSchema
  readonly compare: boolean
}

function explain(error: ErrorObject, { value, schema, compare }: Explained): Issue {
  const path = pathOf(error.instancePath)
  const where = path.join('.') || 'the arguments'
  const at = follow(value, path)
  const { params, keyword } = error
  if (keyword === 'required') return missing([...path, String(params.missingProperty)], schemaAt(schema, path))
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const key = String(params.additionalProperty ?? params.unevaluatedProperty)
    return unknownKey([...path, key], schemaAt(schema, path), compare)
  }
  if (keyword === 'type') {
    const expected: string[] = [params.type].flat()
    return { path, expected, message: `${where}: expected ${expected.join(' or ')}, got ${typeName(at)}` }
  }
  if (keyword === 'enum') {
    const allowed: unknown[] = params.allowedValues
    return {
      path,
      message: `${where}: expected one of ${allowed.map((one) => JSON.stringify(one)).join(', ')}, got ${show(at)}`,
    }
  }
  if (keyword === 'maxLength' && typeof at === 'string') {
    return { path, message: `${where}: too long; at most ${params.limit} characters are allowed, got ${at.length}` }
  }
  return { path, message: `${where}: ${error.message ?? 'is invalid'}, got ${show(at)}` }
}

function missing(path: readonly (string | number)[], parent: unknown): Issue {
  const property = isRecord(parent) && isRecord(parent.properties) ? parent.properties[String(path.at(-1))] : undefined
  const type = isRecord(property) && typeof property.type === 'string' ? `; expected ${property.type}` : ''
  const description = isRecord(property) && typeof property.description === 'string' ? ` (${property.description})` : ''
  return { path, message: `${path.join('.')}: missing${type}${description}` }
}

function unknownKey(path: readonly (string | number)[], parent: unknown, compare: boolean): Issue {
  const key = String(path.at(-1))
  const shown = [...path.slice(0, -1), key.slice(0, 100)].join('.')
  if (!compare) return { path, message: `${shown}: unknown key` }
  const known = isRecord(parent) && isRecord(parent.properties) ? Object.keys(parent.properties) : []
  const near = nearest(key, known.slice(0, CANDIDATES))
  const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '.'
  const named = known.slice(0, NAMED).join(', ') || 'none'
  const more = known.length > NAMED ? ` and ${known.length - NAMED} more` : ''
  return { path, message: `${shown}: unknown key${hint} Known keys: ${named}${more}` }
}

function pathOf(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'))
    .map((part) => (/^(0|[1-9]\d{0,9})$/.test(part) ? Number(part) : part))
}

function follow(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  )
}

function schemaAt(schema: JsonSchema, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((at, key) => {
    if (!isRecord(at)) return undefined
    const next =
      typeof key === 'number' ? at.items : isRecord(at.properties) ? at.properties[key] : at.additionalProperties
    return followReference(next, schema)
  }, schema)
}

/** Resolves a reference inside the schema; returns anything else unchanged. */
function followReference(at: unknown, schema: JsonSchema): unknown {
  if (!isRecord(at) || typeof at.$ref !== 'string' || !at.$ref.startsWith('#')) return at
  return follow(schema, pathOf(at.$ref))
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
