import { isRecord, type JsonSchema } from '../../../src/core/text/json.ts'

const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']

/** A Schema of Google's APIs as JSON Schema, read by its documentation and not by our writer. */
export function fromGoogle(schema: JsonSchema): JsonSchema {
  const read: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(schema)) {
    if (field === 'type') read.type = String(value).toLowerCase()
    else if (field === 'properties' && isRecord(value))
      read.properties = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fromGoogle(record(one))]))
    else if (field === 'items') read.items = fromGoogle(record(value))
    else if (field === 'anyOf' && Array.isArray(value)) read.anyOf = value.map((one) => fromGoogle(record(one)))
    else if (COUNTS.includes(field)) read[field] = Number(value)
    else if (field !== 'nullable') read[field] = value
  }
  return schema.nullable === true ? { anyOf: [read, { type: 'null' }] } : read
}

function record(value: unknown): JsonSchema {
  if (!isRecord(value)) throw new Error(`no schema: ${JSON.stringify(value)}`)
  return value
}
