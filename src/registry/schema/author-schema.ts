import { messageOf } from '../../core/call/result.ts'
import { isRecord, type JsonSchema } from '../../core/text/json.ts'
import { isStandardSchema } from '../../core/tool/parse-standard.ts'
import type { AnySchema } from '../../core/tool/schema.ts'
import { type Property, writeObject, writeOpenObject, writeProperty } from './schema-words.ts'
import { explainUnwritable, findMaker } from './unwritable-field.ts'

/** The owner and use of a schema, for messages. */
interface Owner {
  readonly use: 'input' | 'output'
  /** For example: the input schema of tool "name". */
  readonly text: string
}

/** Turns an author's schema into JSON Schema. Throws when it is not a schema or cannot be expressed as JSON Schema. */
function toJsonSchema(schema: AnySchema, { use, text }: Owner): JsonSchema {
  if (!isStandardSchema(schema)) {
    if (isRecord(schema)) return schema
    throw new Error(`${text} is not a schema; expected {"type":"object","properties":{},"additionalProperties":false}`)
  }
  const maker = findMaker(schema)
  if (maker === undefined) {
    throw new Error(
      `${text}: this ${schema['~standard'].vendor} schema cannot be converted to JSON Schema. Use a version that implements Standard JSON Schema (zod 4.2 or newer), objectSchema({…}) or plain JSON Schema.`,
    )
  }
  const made = writeSchema(() => maker.input({ target: 'draft-2020-12' }), schema, { use, text })
  if (!isRecord(made)) throw new Error(`${text}: its schema library returned no JSON Schema`)
  return made
}

function writeSchema(write: () => unknown, schema: AnySchema, { use, text }: Owner): unknown {
  try {
    return write()
  } catch (thrown) {
    throw new Error(`${text}: ${explainUnwritable(schema, thrown, use)}`)
  }
}

function ownerOf(use: Owner['use'], name: string): Owner {
  return { use, text: `the ${use} schema of tool "${name}"` }
}

/** Returns a tool's input schema for storage: an object, closed by default; with a type and description for each property where `isComplete` asks for it. Throws with a corrected form in the syntax of the author's schema library. */
export function inputSchemaOf(schema: AnySchema, name: string, isComplete = true): JsonSchema {
  const owner = ownerOf('input', name)
  const given = toJsonSchema(schema, owner)
  const vendor = isStandardSchema(schema) ? schema['~standard'].vendor : undefined
  if (given.type !== 'object') throw rootMissing(given, owner, vendor)
  const { properties, required } = given
  if (isComplete && isRecord(properties)) {
    for (const property of Object.keys(properties)) {
      if (hasBoth(properties[property])) continue
      const isRequired = Array.isArray(required) && required.includes(property)
      const lacking = findLack({ name: property, schema: toRecord(properties[property]), isRequired }, vendor)
      if (lacking !== undefined) throw new Error(`${owner.text}: ${lacking}`)
    }
  }
  return speaksOfOthers(given) ? given : close(given)
}

function rootMissing(given: JsonSchema, { text }: Owner, vendor: string | undefined): Error {
  const { $schema: _, ...own } = given
  const schema = { ...own, description: given.description ?? 'What value is' }
  const fixed =
    given.type === undefined
      ? writeOpenObject(own, vendor)
      : writeObject({ name: 'value', schema, isRequired: true }, vendor)
  return new Error(
    `${text} must have the root {"type":"object"}, it has ${JSON.stringify(given.type ?? null)}. Fixed: ${fixed}`,
  )
}

/** Returns the stored input schema as immutable text. */
export function inputTextOf(schema: JsonSchema, name: string): string {
  return writeJson(schema, ownerOf('input', name))
}

/** Returns a tool's output schema for storage. */
export function outputSchemaOf(schema: AnySchema, name: string): JsonSchema {
  const owner = ownerOf('output', name)
  return JSON.parse(writeJson(toJsonSchema(schema, owner), owner))
}

function writeJson(schema: JsonSchema, { text }: Owner): string {
  try {
    return JSON.stringify(schema)
  } catch (thrown) {
    throw new Error(`${text} cannot be written as JSON: ${messageOf(thrown)}`)
  }
}

const SAYS_TYPE = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref']

/** A quick test that nearly every property passes. */
function hasBoth(property: unknown): boolean {
  return isRecord(property) && 'type' in property && isText(property.description)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function toRecord(value: unknown): JsonSchema {
  return isRecord(value) ? value : {}
}

/** Returns what a property lacks, with a corrected form; undefined when it is complete. */
function findLack(property: Property, vendor: string | undefined): string | undefined {
  const { name, schema } = property
  const missing = [
    ...(SAYS_TYPE.some((keyword) => keyword in schema) ? [] : ['type']),
    ...(isText(schema.description) ? [] : ['description']),
  ]
  if (missing.length === 0) return undefined
  const complete = {
    ...(missing.includes('type') && { type: 'string' }),
    ...schema,
    ...(missing.includes('description') && { description: `What ${name} does` }),
  }
  const fixed = writeProperty({ ...property, schema: complete }, vendor)
  return `the property "${name}" has no ${missing.join(' and no ')}. Fixed: ${fixed}`
}

/** True when a schema defines how unknown keys are handled. */
function speaksOfOthers(schema: JsonSchema): boolean {
  return 'additionalProperties' in schema || 'unevaluatedProperties' in schema
}

/** Refuses unknown keys unless the schema defines otherwise. */
function close(schema: JsonSchema): JsonSchema {
  const composed = ['allOf', 'anyOf', 'oneOf', '$ref', 'if'].some((keyword) => keyword in schema)
  return { ...schema, [composed ? 'unevaluatedProperties' : 'additionalProperties']: false }
}
