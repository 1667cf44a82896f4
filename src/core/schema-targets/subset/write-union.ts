import { isRecord, type JsonSchema } from '../../text/json.ts'
import { type Location, noteLoss } from '../compiling.ts'
import { unionOf } from '../join-alternatives.ts'
import { isSame, listOf } from '../merge-schemas.ts'
import { describeWith } from './hints.ts'
import { writeKeywords } from './write-keywords.ts'
import type { Writing } from './writing.ts'

const WORDS = ['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$comment']

/** Writes a schema with `anyOf`; undefined where one of the alternatives accepts any value. */
export function writeUnion(schema: JsonSchema, location: Location, writing: Writing): JsonSchema | undefined {
  const { subset } = writing
  const { branches, words } = distribute(schema)
  if (branches.some(isAny)) return undefined
  const list = branches.length > 1 && branches.every(isRecord) ? unionOf(branches) : undefined
  if (list && !('anyOf' in list)) return writing.write({ ...list, ...words }, location)
  const plain = subset.null === 'nullable' ? branches.filter((branch) => !isNull(branch)) : branches
  const hasNull = plain.length < branches.length
  const made = plain.map((branch) => writing.write(branch, location)).filter((branch) => branch !== undefined)
  const written = flattenUnions(made).filter(
    (branch, index, all) => all.findIndex((other) => isSame(other, branch)) === index,
  )
  if (written.length === 0) {
    if (hasNull) return { type: 'NULL' }
    const text = 'no alternative accepts anything; any value is accepted here and checked when the call runs'
    noteLoss(writing.compiling, { path: location.path, keyword: 'anyOf', effect: 'looser', text })
    return undefined
  }
  const place = { location, types: undefined, hints: [] }
  const keywords = writeKeywords(words, place, writing)
  const description = describeWith(words.description, place.hints)
  const around = { ...(description !== undefined && { description }), ...keywords }
  const nullable = hasNull ? { nullable: true } : {}
  const [only] = written
  if (written.length === 1 && only) {
    const inner = typeof only.description === 'string' ? [only.description] : []
    const joined = describeWith(
      description,
      inner.filter((text) => text !== description),
    )
    return { ...only, ...keywords, ...(joined !== undefined && { description: joined }), ...nullable }
  }
  if (!subset.anyOfAlone) return { ...around, anyOf: written }
  loseWords(keywords, location, writing)
  const described = description === undefined ? {} : { description }
  return { anyOf: written.map((branch) => ({ ...described, ...branch, ...nullable })) }
}

/** The alternatives with what stands beside `anyOf` in each of them, and the words that stand for all. */
function distribute(schema: JsonSchema): { branches: readonly unknown[]; words: JsonSchema } {
  const { anyOf, ...beside } = schema
  const entries = Object.entries(beside)
  const words = Object.fromEntries(entries.filter(([keyword]) => WORDS.includes(keyword)))
  const checks = Object.fromEntries(
    entries.filter(
      ([keyword]) => !WORDS.includes(keyword) && !['$defs', 'definitions', '$schema', '$id'].includes(keyword),
    ),
  )
  const isAlone = Object.keys(checks).length === 0
  const branches = listOf(anyOf).filter((branch) => branch !== false)
  return { branches: isAlone ? branches : branches.map((branch) => ({ allOf: [branch, checks] })), words }
}

/** Alternatives of alternatives are alternatives. */
function flattenUnions(branches: readonly JsonSchema[]): JsonSchema[] {
  return branches.flatMap((branch) =>
    Array.isArray(branch.anyOf) && Object.keys(branch).length === 1 ? branch.anyOf.filter(isRecord) : [branch],
  )
}

function loseWords(keywords: JsonSchema, { path }: Location, { compiling }: Writing): void {
  for (const keyword of Object.keys(keywords))
    noteLoss(compiling, { path, keyword, effect: 'note', text: 'left out beside anyOf' })
}

function isAny(branch: unknown): boolean {
  return branch === true || (isRecord(branch) && Object.keys(branch).every((keyword) => WORDS.includes(keyword)))
}

function isNull(branch: unknown): boolean {
  return isRecord(branch) && (branch.type === 'null' || ('const' in branch && branch.const === null))
}
