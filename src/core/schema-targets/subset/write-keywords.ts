import type { JsonSchema } from '../../text/json.ts'
import type { Location } from '../compiling.ts'
import type { Subset } from '../target.ts'
import { loseKeyword, refuse, type Writing } from './writing.ts'

/** Written by other parts of the writer, or by nobody: names of a schema mean nothing once references are written out. */
const ELSEWHERE = new Set([
  ...['type', 'nullable', 'enum', 'const', 'anyOf', 'description', 'properties', 'required'],
  ...['additionalProperties', 'patternProperties', 'items', 'prefixItems', 'additionalItems'],
  ...['$schema', '$id', '$anchor', '$dynamicAnchor', '$vocabulary', '$comment', '$defs', 'definitions'],
])

/** The types that a keyword speaks of; one of another type passes whatever it says. */
const SPEAKS_OF: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['minLength', 'maxLength', 'pattern'].map((keyword) => [keyword, 'string'])),
  ...Object.fromEntries(
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map((keyword) => [keyword, 'number']),
  ),
  ...Object.fromEntries(
    ['minItems', 'maxItems', 'uniqueItems', 'contains', 'minContains', 'maxContains', 'unevaluatedItems'].map(
      (keyword) => [keyword, 'array'],
    ),
  ),
  ...Object.fromEntries(
    ['minProperties', 'maxProperties', 'propertyNames', 'dependentRequired', 'dependentSchemas', 'dependencies'].map(
      (keyword) => [keyword, 'object'],
    ),
  ),
}

/** Google's APIs write 64-bit counts as text. */
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']

/** Where keywords are written, and the hints that stand for those that cannot be. */
export interface KeywordPlace {
  readonly location: Location
  /** Undefined where any type is accepted. */
  readonly types: readonly string[] | undefined
  readonly hints: string[]
}

/** Writes the keywords that the target takes as they are; the others are noted. */
export function writeKeywords(schema: JsonSchema, place: KeywordPlace, writing: Writing): JsonSchema {
  const written: Record<string, unknown> = {}
  const { keywords, formats, spelling } = writing.subset
  for (const [keyword, value] of Object.entries(schema)) {
    if (ELSEWHERE.has(keyword) || !isAbout(keyword, place.types)) continue
    const isTaken = keywords.has(keyword) && (keyword !== 'format' || (formats?.has(String(value)) ?? true))
    if (!isTaken) loseKeyword([keyword, value], place, writing)
    else written[keyword] = spelling === 'google' && COUNTS.includes(keyword) ? String(value) : value
  }
  return written
}

function isAbout(keyword: string, types: readonly string[] | undefined): boolean {
  if (types === undefined) return true
  if (keyword === 'format') return types.some((type) => ['string', 'number', 'integer'].includes(type))
  const type = SPEAKS_OF[keyword]
  if (type === undefined) return true
  return types.includes(type) || (type === 'number' && types.includes('integer'))
}

function isTakenValue(value: unknown, { enum: kind }: Subset): boolean {
  if (kind === 'any') return true
  if (kind === 'texts') return typeof value === 'string' && value !== ''
  return typeof value === 'string' || typeof value === 'number'
}

/** Writes a list of values; notes it where the target cannot hold them. */
export function writeEnum(schema: JsonSchema, place: KeywordPlace, writing: Writing): JsonSchema {
  if (!Array.isArray(schema.enum)) return {}
  const { subset, compiling } = writing
  const values: unknown[] = subset.null === 'nullable' ? schema.enum.filter((value) => value !== null) : schema.enum
  const texts = values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
  compiling.enumValueCount += values.length
  compiling.textCount += texts
  const { longEnum } = subset.limits ?? {}
  if (longEnum && values.length > longEnum.values && texts > longEnum.texts)
    refuse(
      writing,
      place.location,
      `lists more than ${longEnum.values} values of more than ${longEnum.texts} characters`,
    )
  if (values.length > 0 && values.every((value) => isTakenValue(value, subset))) return { enum: values }
  loseKeyword(['enum', schema.enum], place, writing)
  return {}
}
