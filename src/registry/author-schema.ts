import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isRecord, type JsonSchema } from '../core/json.ts'
import { messageOf } from '../core/result.ts'
import type { AnySchema } from '../core/schema.ts'

interface JsonSchemaMaker {
  input(options: { target: string }): unknown
}

/** True for Zod, Valibot, ArkType and their like. */
export function isStandardSchema(schema: AnySchema): schema is StandardSchemaV1 {
  if (schema === null || (typeof schema !== 'object' && typeof schema !== 'function')) return false
  return '~standard' in schema && isRecord(schema['~standard'])
}

/** Any schema an author may give, as JSON Schema; throws where it is none or cannot say itself as one. */
function toJsonSchema(schema: AnySchema, owner: string): JsonSchema {
  if (!isStandardSchema(schema)) {
    if (!isRecord(schema)) throw new Error(`${owner} is no schema; expected ${exampleObject({})}`)
    return schema
  }
  const standard: object = schema['~standard']
  const maker = 'jsonSchema' in standard ? (standard.jsonSchema as JsonSchemaMaker) : undefined
  if (maker === undefined) {
    throw new Error(
      `${owner}: this ${schema['~standard'].vendor} schema cannot say itself as JSON Schema. Use a version that implements Standard JSON Schema (zod 4.2 or newer), objectSchema({…}) or plain JSON Schema.`,
    )
  }
  const made = maker.input({ target: 'draft-2020-12' })
  if (!isRecord(made)) throw new Error(`${owner}: its schema gave no JSON Schema`)
  return made
}

function inputOf(name: string): string {
  return `the input schema of tool "${name}"`
}

/** A tool's input as we store it: an object, closed unless it says otherwise, each property with type and description. Throws with the mended form. */
export function inputSchemaOf(schema: AnySchema, name: string): JsonSchema {
  const owner = inputOf(name)
  const given = toJsonSchema(schema, owner)
  if (given.type !== 'object') throw rootMissing(given, owner)
  const { properties } = given
  if (isRecord(properties)) {
    for (const property of Object.keys(properties))
      if (!hasBoth(properties[property])) checkProperty(properties[property], property, owner)
  }
  return speaksOfOthers(given) ? given : close(given)
}

function rootMissing(given: JsonSchema, owner: string): Error {
  const value = given.type === undefined ? {} : { value: { ...given, description: given.description ?? 'what it is' } }
  return new Error(
    `${owner} must have the root {"type":"object"}, it has ${JSON.stringify(given.type ?? null)}. Mended: ${exampleObject(value)}`,
  )
}

/** That input, with whatever was added, as text: nobody can change it. */
export function inputTextOf(schema: JsonSchema, name: string): string {
  return writeJson(schema, inputOf(name))
}

/** A tool's output as we store it. */
export function outputSchemaOf(schema: AnySchema, name: string): JsonSchema {
  const owner = `the output schema of tool "${name}"`
  return JSON.parse(writeJson(toJsonSchema(schema, owner), owner))
}

function writeJson(schema: JsonSchema, owner: string): string {
  try {
    return JSON.stringify(schema)
  } catch (thrown) {
    throw new Error(`${owner} cannot be written as JSON: ${messageOf(thrown)}`)
  }
}

const SAYS_TYPE = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref']

/** True for nearly every property; the others are looked at closely. */
function hasBoth(property: unknown): boolean {
  return isRecord(property) && 'type' in property && isText(property.description)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function checkProperty(what: unknown, property: string, owner: string): void {
  const schema = isRecord(what) ? what : {}
  const missing = [
    ...(SAYS_TYPE.some((keyword) => keyword in schema) ? [] : ['type']),
    ...(isText(schema.description) ? [] : ['description']),
  ]
  if (missing.length === 0) return
  const mended = {
    ...(missing.includes('type') && { type: 'string' }),
    ...schema,
    ...(missing.includes('description') && { description: `What ${property} does` }),
  }
  throw new Error(
    `${owner}: the property "${property}" has no ${missing.join(' and no ')}. Mended: ${JSON.stringify({ [property]: mended })}`,
  )
}

function exampleObject(properties: Record<string, unknown>): string {
  return JSON.stringify({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false })
}

/** True where a schema says what becomes of unknown keys. */
function speaksOfOthers(schema: JsonSchema): boolean {
  return 'additionalProperties' in schema || 'unevaluatedProperties' in schema
}

/** Unknown keys are refused where the schema does not speak of them. */
function close(schema: JsonSchema): JsonSchema {
  const composed = ['allOf', 'anyOf', 'oneOf', '$ref', 'if'].some((keyword) => keyword in schema)
  return { ...schema, [composed ? 'unevaluatedProperties' : 'additionalProperties']: false }
}
