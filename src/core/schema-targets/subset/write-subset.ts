import { isRecord, type JsonSchema } from '../../text/json.ts'
import { type Compiling, isTooLarge, type Location, noteLoss, ROOT } from '../compiling.ts'
import { closeUnevaluated, flattenSchema } from '../flatten-schema.ts'
import { isSame, listOf } from '../merge-schemas.ts'
import type { Subset } from '../target.ts'
import { describeWith } from './hints.ts'
import { showConditions } from './show-conditions.ts'
import { findTypes, splitByType } from './types-of.ts'
import { writeArray } from './write-array.ts'
import { writeEnum, writeKeywords } from './write-keywords.ts'
import { writeObject } from './write-object.ts'
import { writeUnion } from './write-union.ts'
import { refuse, type Writing } from './writing.ts'

/** Writes a schema in the part of JSON Schema that a target takes, and notes what is lost. */
export function writeSubset(root: JsonSchema, subset: Subset, compiling: Compiling): JsonSchema {
  const writing: Writing = {
    subset,
    compiling,
    write(schema, location) {
      const written = writeSchema(schema, location, writing)
      return subset.showsType && written !== undefined ? showType(written, location, compiling) : written
    },
  }
  const written = writing.write(root, ROOT) ?? {}
  const { limits } = subset
  if (limits && compiling.propertyCount > limits.properties)
    refuse(writing, ROOT, `has more than ${limits.properties} properties`)
  if (limits && compiling.enumValueCount > limits.enumValues)
    refuse(writing, ROOT, `lists more than ${limits.enumValues} values`)
  if (limits && compiling.textCount > limits.texts)
    refuse(writing, ROOT, `has more than ${limits.texts} characters in its names and values`)
  return written
}

function writeSchema(given: unknown, location: Location, writing: Writing): JsonSchema | undefined {
  const { compiling, subset } = writing
  if (given === false) return undefined
  if (isTooLarge(location, compiling)) return writeAny({}, location, writing)
  const flat = flattenSchema(isRecord(given) ? given : {}, location, compiling)
  const here = { ...location, references: flat.references }
  const plain = plainKeywords(showConditions(flat.schema, location, compiling), location, compiling)
  const schema = closeUnevaluated(plain, location.path, compiling)
  if (Array.isArray(schema.anyOf)) return writeUnion(schema, here, writing) ?? writeAny(schema, here, writing)
  const types = findTypes(schema, subset, () => noteGuess(here, compiling))
  if (types === undefined && subset.needsType) return writeAny(schema, here, writing)
  const values = types?.filter((type) => type !== 'null') ?? []
  if ((subset.needsType || subset.showsType) && values.length > 1) {
    return writeUnion({ description: schema.description, anyOf: splitByType(schema, types ?? []) }, here, writing)
  }
  return writeTyped(schema, { location: here, types }, writing)
}

/** Gives a schema one type: readers that look at nothing else fail on a list of types as on none. Null is not offered; beside alternatives the first one's type stands, which says nothing to readers of alternatives. */
function showType(written: JsonSchema, { path }: Location, compiling: Compiling): JsonSchema {
  const { type, anyOf } = written
  if (typeof type === 'string') return written
  const text = Array.isArray(type) ? 'null is not offered' : 'one type is named beside the alternatives'
  noteLoss(compiling, { path, keyword: 'type', effect: 'tighter', text })
  const branches = listOf(anyOf ?? [type].flat().map((one) => ({ type: one ?? 'string' }))).filter(isRecord)
  const shown = (branches.find((branch) => branch.type !== 'null') ?? branches[0])?.type ?? 'string'
  const isAny = type === undefined && anyOf === undefined
  return { ...written, type: shown, ...(isAny && { anyOf: EVERY_TYPE.map((one) => ({ type: one })) }) }
}

const EVERY_TYPE = ['string', 'number', 'boolean', 'object', 'array']

const OBJECT_KEYWORDS = ['properties', 'required', 'additionalProperties', 'patternProperties']
const ARRAY_KEYWORDS = ['items', 'prefixItems']

function writeTyped(
  given: JsonSchema,
  { location, types }: { readonly location: Location; readonly types: readonly string[] | undefined },
  writing: Writing,
): JsonSchema {
  const isListed = types?.includes('array') && Array.isArray(given.enum) && writing.subset.enum !== 'any'
  const schema = isListed ? moveEnum(given, location, writing.compiling) : given
  const place = { location, types, hints: [] }
  const values = writeEnum(schema, place, writing)
  const keywords = writeKeywords(schema, place, writing)
  const speaksOf = (type: string, itsKeywords: readonly string[]) =>
    types?.includes(type) ?? itsKeywords.some((keyword) => keyword in schema)
  const object = speaksOf('object', OBJECT_KEYWORDS) ? writeObject(schema, place, writing) : {}
  const array = speaksOf('array', ARRAY_KEYWORDS) ? writeArray(schema, place, writing) : {}
  const description = describeWith(schema.description, place.hints)
  return {
    ...spellTypes(types, writing.subset),
    ...(description !== undefined && { description }),
    ...values,
    ...keywords,
    ...object,
    ...array,
  }
}

/** Writes the values of a list to its items, which many authors mean and some targets demand; lists as values are left out. */
function moveEnum({ enum: values, ...rest }: JsonSchema, { path }: Location, compiling: Compiling): JsonSchema {
  const items = isRecord(rest.items) ? rest.items : {}
  const isOfItems = listOf(values).every((value) => typeof value === 'string') && !('enum' in items)
  const text = `${isOfItems ? 'taken as the values of the items' : 'left out'}; checked when the call runs`
  noteLoss(compiling, { path, keyword: 'enum', effect: 'looser', text })
  return isOfItems ? { ...rest, items: { type: 'string', ...items, enum: values } } : rest
}

function spellTypes(types: readonly string[] | undefined, { null: nulls, spelling }: Subset): JsonSchema {
  if (types === undefined) return {}
  const spelled = types.map((type) => (spelling === 'google' ? type.toUpperCase() : type))
  if (nulls === 'type') return { type: spelled.length === 1 ? spelled[0] : spelled }
  const [type = 'NULL'] = spelled.filter((one) => one !== 'NULL')
  return { type, ...(types.includes('null') && type !== 'NULL' && { nullable: true }) }
}

/** Writes `oneOf` as `anyOf`, and `const` as a list of one value. */
function plainKeywords(schema: JsonSchema, { path }: Location, compiling: Compiling): JsonSchema {
  const { oneOf, const: constant, ...rest } = schema
  const plain: JsonSchema = 'const' in schema ? { ...rest, enum: [constant] } : rest
  if ('const' in schema && Array.isArray(rest.enum) && !rest.enum.some((value) => isSame(value, constant)))
    noteLoss(compiling, { path, keyword: 'enum', effect: 'looser', text: 'left out beside const, which it excludes' })
  if (!Array.isArray(oneOf)) return plain
  const isBeside = 'anyOf' in plain
  const text = isBeside ? 'left out beside anyOf; checked when the call runs' : 'written as anyOf'
  if (isBeside || listOf(oneOf).length > 1) noteLoss(compiling, { path, keyword: 'oneOf', effect: 'looser', text })
  return isBeside ? plain : { ...plain, anyOf: oneOf }
}

function noteGuess({ path }: Location, compiling: Compiling): void {
  const text = 'no type is given; taken as an object, because it has properties'
  noteLoss(compiling, { path, keyword: 'type', effect: 'tighter', text })
}

/** Writes a schema that accepts any value. */
function writeAny(schema: JsonSchema, location: Location, writing: Writing): JsonSchema {
  const { subset, compiling } = writing
  const place = { location, types: undefined, hints: [] }
  const keywords = writeKeywords(schema, place, writing)
  const description = describeWith(schema.description, place.hints)
  const words = { ...(description !== undefined && { description }) }
  if (!subset.needsType) return { ...words, ...keywords }
  if (subset.requiresAll) {
    refuse(writing, location, 'takes a value of any type')
    return words
  }
  const text = 'any value is written as text, number, boolean, object or a list of texts'
  noteLoss(compiling, { path: location.path, keyword: 'type', effect: 'tighter', text })
  return { anyOf: ANY_VALUE.map((branch) => ({ ...branch, ...words, nullable: true })) }
}

/** Google's APIs have no word for any value. */
const ANY_VALUE: readonly JsonSchema[] = [
  { type: 'STRING' },
  { type: 'NUMBER' },
  { type: 'BOOLEAN' },
  { type: 'OBJECT' },
  { type: 'ARRAY', items: { type: 'STRING' } },
]
