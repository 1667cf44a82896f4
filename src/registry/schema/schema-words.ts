import { isRecord, type JsonSchema } from '../../core/text/json.ts'

/** A property of an input schema, for messages. */
export interface Property {
  readonly name: string
  /** The property as JSON Schema, completed. */
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

/** Writes a property in the syntax of the author's schema library, or as JSON Schema. */
export function writeProperty({ name, schema, isRequired }: Property, vendor: string | undefined): string {
  const description = quote(schema.description)
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
  if (vendor === 'zod') return `${key}: ${zodType(schema)}${zodPresence(schema, isRequired)}.describe(${description})`
  if (vendor === 'valibot') return `${key}: v.pipe(…, v.description(${description}))`
  if (vendor === 'arktype') return `${key}: (…).describe(${description})`
  return JSON.stringify({ [name]: schema })
}

/** Writes an object with one property. */
export function writeObject(property: Property, vendor: string | undefined): string {
  const { name, schema } = property
  if (vendor === 'zod') return `z.object({ ${writeProperty(property, vendor)} })`
  if (vendor === 'valibot') return `v.object({ ${writeProperty(property, vendor)} })`
  if (vendor === 'arktype') return `type({ ${writeProperty(property, vendor)} })`
  return JSON.stringify({
    type: 'object',
    properties: { [name]: schema },
    required: [name],
    additionalProperties: false,
  })
}

/** Writes a schema without a type as an object. */
export function writeOpenObject(schema: JsonSchema, vendor: string | undefined): string {
  if (vendor === 'zod') return 'z.object({ … })'
  if (vendor === 'valibot') return 'v.object({ … })'
  if (vendor === 'arktype') return 'type({ … })'
  return JSON.stringify({ type: 'object', ...schema })
}

const ZOD_TYPES: Readonly<Record<string, string>> = {
  string: 'z.string()',
  number: 'z.number()',
  integer: 'z.int()',
  boolean: 'z.boolean()',
  null: 'z.null()',
  object: 'z.object({ … })',
}

function zodType({ type, enum: choices, items }: JsonSchema): string {
  if (Array.isArray(choices)) return `z.enum(${JSON.stringify(choices)})`
  if (type === 'array') return `z.array(${isRecord(items) ? zodType(items) : '…'})`
  return (typeof type === 'string' ? ZOD_TYPES[type] : undefined) ?? '(…)'
}

function zodPresence(schema: JsonSchema, isRequired: boolean): string {
  if ('default' in schema) return `.default(${JSON.stringify(schema.default)})`
  return isRequired ? '' : '.optional()'
}

function quote(text: unknown): string {
  const plain = String(text)
  return /['\\\n]/.test(plain) ? JSON.stringify(plain) : `'${plain}'`
}
