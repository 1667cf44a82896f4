import type { ToolDefinition } from '../../../core/ports/model.ts'
import { isRecord, type JsonSchema } from '../../../core/text/json.ts'
import { readLiteral } from '../literals/read-literal.ts'
import { skipSpace } from '../literals/reading.ts'
import { parametersOf, requiredOf } from './offered-tools.ts'
import type { PrintedCall } from './printed-call.ts'

/** Returns the arguments of a call as its tool's schema types them; undefined when values cannot be matched with parameters. */
export function typeArguments(call: PrintedCall, tool: ToolDefinition): Record<string, unknown> | undefined {
  const named = call.isUntyped ? typeTexts(call, tool) : { ...call.arguments }
  const positional = call.positional ?? []
  if (positional.length === 0) return named
  const [only, ...others] = requiredOf(tool)
  if (only === undefined || others.length > 0 || positional.length > 1 || Object.hasOwn(named, only)) return undefined
  return { ...named, [only]: positional[0] }
}

function typeTexts(call: PrintedCall, tool: ToolDefinition): Record<string, unknown> {
  const schemas = parametersOf(tool)
  return Object.fromEntries(
    Object.entries(call.arguments).map(([key, value]) => {
      if (typeof value !== 'string' || call.strings?.has(key)) return [key, value]
      return [key, typeText(value, Object.hasOwn(schemas, key) ? schemas[key] : undefined)]
    }),
  )
}

/** Gives an untyped text the type of its schema; leaves it a text where the schema allows one or the text does not fit. */
function typeText(text: string, schema: JsonSchema = {}): unknown {
  const types = typesOf(schema)
  if (types.size === 0 || types.has('string')) return text
  const word = text.trim()
  if (types.has('boolean') && /^(?:true|false)$/i.test(word)) return word.toLowerCase() === 'true'
  if (types.has('null') && /^(?:null|none)$/i.test(word)) return null
  if (types.has('integer') || types.has('number')) {
    const value = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word) ? Number(word) : Number.NaN
    if (Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value))) return value
  }
  const wantsMore = types.has('array') || types.has('object')
  const read = wantsMore ? readLiteral(word, 0) : 'none'
  if (typeof read === 'string' || skipSpace(word, read.end) < word.length) return text
  const fits = Array.isArray(read.value) ? types.has('array') : isRecord(read.value) && types.has('object')
  return fits ? read.value : text
}

/** The JSON types that a schema allows, alternatives included. Empty when it names none. */
function typesOf(schema: JsonSchema): ReadonlySet<unknown> {
  const alternatives = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []))
  const own = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [schema.type]
  const values = Array.isArray(schema.enum) ? schema.enum.map((value) => (value === null ? 'null' : typeof value)) : []
  const nested = alternatives.flatMap((one) => (isRecord(one) ? [...typesOf(one)] : []))
  return new Set([...own, ...(own.length === 0 ? values : []), ...nested])
}
