import { isRecord, type JsonSchema } from '../text/json.ts'

/** Tells that a keyword of a merged schema could not be kept. */
export type OnDropped = (keyword: string) => void

/** Keywords that have a meaning only together. */
const GROUPS = [
  ['if', 'then', 'else'],
  ['contains', 'minContains', 'maxContains'],
] as const
const LARGER_COUNTS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const SMALLER_COUNTS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
const OBJECT_KEYWORDS = ['properties', 'additionalProperties', 'patternProperties', 'required']
const WORDS = ['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$comment']

/** Returns one schema that accepts all that both accept; more where a keyword had to be dropped. Words are those of the first. */
export function mergeSchemas(first: JsonSchema, second: JsonSchema, onDropped: OnDropped): JsonSchema {
  const other = withoutClashes(first, second, onDropped)
  const merged: Record<string, unknown> = { ...other, ...first }
  for (const keyword of Object.keys(other)) {
    if (!(keyword in first) || WORDS.includes(keyword) || OBJECT_KEYWORDS.includes(keyword)) continue
    if (isSame(first[keyword], other[keyword])) continue
    const both = mergeKeyword(keyword, first[keyword], other[keyword])
    if (both === undefined) onDropped(keyword)
    else merged[keyword] = both
  }
  if (OBJECT_KEYWORDS.some((keyword) => keyword in other)) Object.assign(merged, mergeObjects(first, other))
  if (isOpenedBy(first, other) || isOpenedBy(other, first)) onDropped('additionalProperties')
  return merged
}

/** The second schema without groups of keywords that the first has too, and without what looks at the schema as one. */
function withoutClashes(first: JsonSchema, second: JsonSchema, onDropped: OnDropped): JsonSchema {
  const kept: Record<string, unknown> = { ...second }
  const drop = (keyword: string): void => {
    if (keyword in kept) onDropped(keyword)
    delete kept[keyword]
  }
  for (const group of GROUPS) if (group.some((keyword) => keyword in first)) group.forEach(drop)
  if (isTuple(first) || isTuple(second)) {
    if ('items' in first || isTuple(first)) ['items', 'prefixItems', 'additionalItems'].forEach(drop)
  }
  drop('unevaluatedItems')
  drop('unevaluatedProperties')
  return kept
}

function isTuple(schema: JsonSchema): boolean {
  return 'prefixItems' in schema || Array.isArray(schema.items)
}

/** Returns what stands for both values of a keyword; undefined where nothing does. */
function mergeKeyword(keyword: string, a: unknown, b: unknown): unknown {
  if (keyword === 'type') return mergeTypes(a, b)
  if (keyword === 'enum' && Array.isArray(a) && Array.isArray(b)) {
    const both = a.filter((value) => b.some((other) => isSame(value, other)))
    return both.length > 0 ? both : undefined
  }
  if (keyword === 'items') return { allOf: [a, b] }
  if (keyword === 'uniqueItems') return a === true || b === true
  if (typeof a !== 'number' || typeof b !== 'number') return undefined
  if (LARGER_COUNTS.includes(keyword)) return Math.max(a, b)
  return SMALLER_COUNTS.includes(keyword) ? Math.min(a, b) : undefined
}

function mergeTypes(a: unknown, b: unknown): unknown {
  const [these, those] = [typesOf(a), typesOf(b)]
  const covers = (types: readonly unknown[], type: unknown) =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  const both = [...new Set([...these, ...those])].filter((type) => covers(these, type) && covers(those, type))
  if (both.length === 0) return undefined
  return both.length === 1 ? both[0] : both
}

function typesOf(type: unknown): readonly unknown[] {
  return Array.isArray(type) ? type : [type]
}

/** True where keys that one schema refuses match a pattern of the other, and so are accepted once they are merged. */
function isOpenedBy({ additionalProperties = true }: JsonSchema, { patternProperties }: JsonSchema): boolean {
  return additionalProperties !== true && patternProperties !== undefined
}

function mergeObjects(a: JsonSchema, b: JsonSchema): JsonSchema {
  const names = [...new Set([...keysOf(a.properties), ...keysOf(b.properties)])]
  const properties = names.map((name) => [name, both(schemaFor(a, name), schemaFor(b, name))])
  const others = both(a.additionalProperties ?? true, b.additionalProperties ?? true)
  const required = [...new Set([...listOf(a.required), ...listOf(b.required)])]
  return {
    ...(names.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(others !== true && { additionalProperties: others }),
    ...(required.length > 0 && { required }),
    ...(isRecord(a.patternProperties) && isRecord(b.patternProperties) && mergePatterns(a, b)),
  }
}

function mergePatterns({ patternProperties: a }: JsonSchema, { patternProperties: b }: JsonSchema): JsonSchema {
  if (!isRecord(a) || !isRecord(b)) return {}
  const patterns = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return {
    patternProperties: Object.fromEntries(
      patterns.map((pattern) => [pattern, both(a[pattern] ?? true, b[pattern] ?? true)]),
    ),
  }
}

/** Returns what a schema says of the values of a key: its own schema, or what it says of other keys. */
export function schemaFor(schema: JsonSchema, name: string): unknown {
  const { properties, patternProperties, additionalProperties = true } = schema
  if (isRecord(properties) && Object.hasOwn(properties, name)) return properties[name]
  return keysOf(patternProperties).some((pattern) => isMatch(pattern, name)) ? true : additionalProperties
}

function isMatch(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name)
  } catch {
    return true
  }
}

function both(a: unknown, b: unknown): unknown {
  if (a === false || b === false) return false
  if (a === true || isSame(a, b)) return b
  return b === true ? a : { allOf: [a, b] }
}

/** The keys of an object; none where it is something else. */
export function keysOf(value: unknown): readonly string[] {
  return isRecord(value) ? Object.keys(value) : []
}

/** A list; an empty one where it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** True for values with the same JSON text. */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
