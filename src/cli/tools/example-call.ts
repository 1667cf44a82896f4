import { isRecord, type JsonSchema } from '../../core/text/json.ts'

/** How deep an example goes before it leaves objects empty. */
const DEEPEST = 5

/** A command line that calls a tool with made-up arguments of the right types: the required ones, or the first where none is. */
export function exampleCall(name: string, parameters: JsonSchema): string {
  const example = exampleOf(parameters, 0)
  const isEmpty = isRecord(example) && Object.keys(example).length === 0
  return `haft call ${quote(name)}${isEmpty ? '' : ` ${quote(JSON.stringify(example))}`}`
}

/** A word for a POSIX shell. */
function quote(word: string): string {
  return /^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function exampleOf(schema: unknown, depth: number): unknown {
  if (!isRecord(schema)) return 'text'
  const given = givenExample(schema)
  if (given !== undefined) return given
  const [choice] = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (Array.isArray(list) ? list : []))
  if (schema.type === undefined && choice !== undefined && depth < DEEPEST) return exampleOf(choice, depth + 1)
  const type: unknown = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object' || (type === undefined && isRecord(schema.properties))) return exampleObject(schema, depth)
  if (type === 'array') return depth < DEEPEST ? [exampleOf(schema.items, depth + 1)] : []
  if (type === 'number' || type === 'integer') return exampleNumber(schema)
  if (type === 'boolean') return true
  return type === 'null' ? null : 'text'
}

function exampleNumber({ minimum, exclusiveMinimum, maximum }: JsonSchema): number {
  const least = typeof minimum === 'number' ? minimum : typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : 1
  return typeof maximum === 'number' ? Math.min(least, maximum) : least
}

/** What the schema itself gives as a value. */
function givenExample({ const: fixed, enum: choices, examples, default: usual }: JsonSchema): unknown {
  const listed = [examples, choices].find((one) => Array.isArray(one) && one.length > 0)
  return fixed ?? (Array.isArray(listed) ? listed[0] : usual)
}

function exampleObject({ properties, required }: JsonSchema, depth: number): Record<string, unknown> {
  if (!isRecord(properties) || depth >= DEEPEST) return {}
  const names = Object.keys(properties)
  const needed = names.filter((name) => Array.isArray(required) && required.includes(name))
  const shown = needed.length > 0 || depth > 0 ? needed : names.slice(0, 1)
  return Object.fromEntries(shown.map((name) => [name, exampleOf(properties[name], depth + 1)]))
}
