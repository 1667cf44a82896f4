import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isRecord, type JsonSchema } from '../core/json.ts'
import type { AnySchema } from '../core/schema.ts'

interface JsonSchemaMaker {
  input(options: { target: string }): unknown
}

/** True for Zod, Valibot, ArkType and their like. */
export function isStandardSchema(schema: AnySchema): schema is StandardSchemaV1 {
  return '~standard' in schema && isRecord(schema['~standard'])
}

/** Any schema an author may give, as JSON Schema; throws where it cannot say itself as one. */
export function toJsonSchema(schema: AnySchema, owner: string): JsonSchema {
  if (!isStandardSchema(schema)) return schema
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

/** A tool's input as we store it: an object, closed unless it says otherwise, each property with type and description. Throws with the mended form. */
export function inputSchemaOf(schema: AnySchema, name: string): JsonSchema {
  const owner = `the input schema of tool "${name}"`
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null)
    throw new Error(`${owner} is missing; expected ${exampleObject({})}`)
  const given = toJsonSchema(schema, owner)
  if (given.type !== 'object') {
    const value =
      given.type === undefined ? {} : { value: { ...given, description: given.description ?? 'what it is' } }
    throw new Error(
      `${owner} must have the root {"type":"object"}, it has ${JSON.stringify(given.type ?? null)}. Mended: ${exampleObject(value)}`,
    )
  }
  for (const [property, what] of Object.entries(isRecord(given.properties) ? given.properties : {}))
    checkProperty(owner, property, what)
  return closed(given)
}

const SAYS_TYPE = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref']

function checkProperty(owner: string, property: string, what: unknown): void {
  const schema = isRecord(what) ? what : {}
  if ('type' in schema && typeof schema.description === 'string' && schema.description !== '') return
  const missing = [
    ...(SAYS_TYPE.some((keyword) => keyword in schema) ? [] : ['type']),
    ...(typeof schema.description === 'string' && schema.description !== '' ? [] : ['description']),
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

/** Unknown keys are refused unless the schema speaks of them. */
function closed(schema: JsonSchema): JsonSchema {
  if ('additionalProperties' in schema || 'unevaluatedProperties' in schema) return schema
  const composed = ['allOf', 'anyOf', 'oneOf', '$ref', 'if'].some((keyword) => keyword in schema)
  return { ...schema, [composed ? 'unevaluatedProperties' : 'additionalProperties']: false }
}
