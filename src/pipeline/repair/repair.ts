import { isRecord, type JsonSchema } from '../../core/text/json.ts'
import { findLoss } from '../../core/text/lossy-json.ts'
import type { Alias } from '../../core/tool/alias.ts'
import type { Issue } from '../../core/tool/snapshot.ts'
import type { Effect } from '../../core/tool/tool.ts'
import { settle } from '../parse/plain-data.ts'
import { type Read, readJson, type TextProblem, textsOf } from './json-text.ts'
import { scanTolerantly } from './tolerant-scan.ts'

/** A value read from a repaired text, and a description of each repair. */
export interface RepairedText extends Read {
  readonly repairs: readonly string[]
}

const UNFENCED = 'took the arguments out of a Markdown fence'
const DECODED = 'decoded arguments that were JSON inside a string'

/** Reads a text that is not strict JSON: in a Markdown fence, or with typical mistakes of models. Never completes text that was cut off. */
export async function repairText(text: string, problem: TextProblem): Promise<RepairedText | TextProblem> {
  const unfenced = stripFence(text)
  if (unfenced === undefined) return repairSyntax(text, problem)
  const read = readJson(unfenced)
  const inner =
    'problem' in read ? await repairSyntax(unfenced, problem) : (decodeRead(read) ?? { ...read, repairs: [] })
  return 'problem' in inner ? inner : { ...inner, repairs: [UNFENCED, ...inner.repairs] }
}

const REPAIRED: readonly string[] = ['repaired the JSON syntax']

/** The longest text for the second parser. Its time grows with the square of the length, and it blocks the process. */
const MAX_READ_TWICE = 100_000
const TOO_LONG =
  'it is not valid JSON: its strings contain quotes that are not escaped, and it is too long to find out where they end'

/** Repairs the syntax. If quotes were not escaped, only when a second parser finds the same strings. */
async function repairSyntax(text: string, problem: TextProblem): Promise<RepairedText | TextProblem> {
  const body = text.trim()
  if (/^\{\s*\\"/.test(body)) return decodeString(requote(body)) ?? problem
  if (!/^[{/]/.test(body)) return problem
  const scanned = scanTolerantly(body)
  if ('problem' in scanned) return scanned
  if (scanned.isLoose && body.length > MAX_READ_TWICE) return { problem: TOO_LONG }
  const read = readJson(scanned.json)
  if ('problem' in read || (scanned.isLoose && !(await isReadAlike(body, scanned.texts)))) return problem
  return { ...read, repairs: REPAIRED }
}

async function isReadAlike(body: string, texts: readonly string[]): Promise<boolean> {
  const { jsonrepair } = await import('jsonrepair')
  try {
    return JSON.stringify(textsOf(jsonrepair(body))) === JSON.stringify(texts)
  } catch {
    return false
  }
}

/** Decodes JSON that was encoded as a string once or twice. */
export function decodeString(text: string): RepairedText | undefined {
  return decodeRead({ value: text, text })
}

function decodeRead(given: Read): RepairedText | undefined {
  let read: Read | TextProblem = given
  for (let times = 0; times < 2 && 'value' in read && typeof read.value === 'string'; times++)
    read = readJson(read.value)
  if (read === given || !('value' in read) || !isRecord(read.value)) return undefined
  return { ...read, repairs: [DECODED] }
}

/** Adds the missing quotes around JSON that was encoded as a string. */
function requote(body: string): string {
  return `"${body.replace(/[\r\n\t]/g, (blank) => JSON.stringify(blank).slice(1, -1))}"`
}

function stripFence(text: string): string | undefined {
  const trimmed = text.trim()
  const fence = /^(?:`+|~{3,})/.exec(trimmed)?.[0]
  if (fence === undefined || trimmed.length < 2 * fence.length || !trimmed.endsWith(fence)) return undefined
  return trimmed.slice(fence.length, -fence.length).replace(/^[ \t]*[\w-]*/, '')
}

/** A value with some repaired members, and a description of each repair. */
export interface RepairedValue {
  readonly value: unknown
  readonly repairs: readonly string[]
}

/** What a repair can use: the tool's schema and effect, and the default arguments of the alias. */
interface Expected {
  readonly schema: JsonSchema
  readonly effect: Effect
  readonly preset: Alias['preset']
}

/** Repairs single values that the schema refused, if only one meaning is possible. Returns undefined if nothing could be repaired. */
export function repairValue(
  value: unknown,
  issues: readonly Issue[],
  { schema, effect, preset = {} }: Expected,
): RepairedValue | undefined {
  const repaired = structuredClone(value)
  const repairs: string[] = []
  for (const { path, expected } of issues) {
    if (!expected || path.length === 0) continue
    const given = valueAt(repaired, path)
    const shown = path.join('.')
    const [key = ''] = path
    if (given === null && path.length === 1 && Object.hasOwn(preset, key)) {
      putAt(repaired, path, preset[key])
      repairs.push(`left out ${shown}: it was null, and ${JSON.stringify(preset[key])} is preset`)
      continue
    }
    if (given === null && isOptional(schema, path)) {
      putAt(repaired, path, undefined)
      repairs.push(`left out ${shown}: it was null and is optional`)
      continue
    }
    const better = readAs(given, expected, effect)
    if (better === undefined) continue
    putAt(repaired, path, better.value)
    repairs.push(`read ${shown} as ${typeOf(better.value)}: it was given as ${better.from}`)
  }
  return repairs.length === 0 ? undefined : { value: repaired, repairs }
}

/** A value in the form that was expected, and the form it was given in. */
interface Better {
  readonly value: unknown
  readonly from: string
}

/** Reads a value that can only mean one value of an expected type; undefined where it may mean several. */
function readAs(given: unknown, expected: readonly string[], effect: Effect): Better | undefined {
  const read = typeof given === 'string' ? readText(given, expected) : undefined
  if (read !== undefined) return { value: read, from: 'text' }
  if (Array.isArray(given)) {
    const [only, ...others] = given
    // Where something is changed, a model that meant several is asked which one.
    const isOne = others.length === 0 && (effect === 'none' || effect === 'read')
    return isOne && fits(only, expected) ? { value: only, from: 'a list of one' } : undefined
  }
  // A decimal may have been written with other digits: 1.10 is not 1.1 in a version.
  if (Number.isSafeInteger(given) && expected.includes('string')) return { value: String(given), from: 'a number' }
  // A text with commas or lines may be several values.
  const isOne = given !== null && given !== undefined && !(typeof given === 'string' && /[,;\n[{]|^\s*$/.test(given))
  return isOne && expected.includes('array') ? { value: [given], from: 'one value' } : undefined
}

/** Reads text that can only mean one value of an expected type: "true", "True", "5", "[…]", "{…}". */
function readText(text: string, expected: readonly string[]): unknown {
  if (expected.includes('string')) return undefined
  const trimmed = text.trim().replace(/^(True|False)$/, (word) => word.toLowerCase())
  const read =
    /^(true|false|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|[[{][\s\S]*[\]}])$/.test(trimmed) && readJson(trimmed)
  if (!read || !('value' in read) || 'problem' in settle(read.value)) return undefined
  return findLoss(trimmed) === undefined && fits(read.value, expected) ? read.value : undefined
}

function fits(value: unknown, expected: readonly string[]): boolean {
  return expected.includes(typeOf(value)) || (expected.includes('integer') && Number.isInteger(value))
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  )
}

/** Replaces the value at a path. Undefined removes the key. */
function putAt(value: unknown, path: readonly (string | number)[], replacement: unknown): void {
  const [key, parent] = [path.at(-1), valueAt(value, path.slice(0, -1))]
  if (key === undefined || typeof parent !== 'object' || parent === null) return
  if (replacement === undefined) Reflect.deleteProperty(parent, key)
  else Reflect.set(parent, key, replacement)
}

function isOptional(schema: JsonSchema, path: readonly (string | number)[]): boolean {
  const at = schemaAt(schema, path.slice(0, -1))
  if (!isRecord(at) || typeof path.at(-1) !== 'string') return false
  return !(Array.isArray(at.required) && at.required.includes(path.at(-1)))
}

/** The schema of the value at a path, where properties, items and local references lead to it. */
function schemaAt(schema: JsonSchema, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((at, key) => {
    if (!isRecord(at)) return undefined
    const next = typeof key === 'number' ? at.items : isRecord(at.properties) ? at.properties[key] : undefined
    return followReference(next, schema)
  }, schema)
}

/** Returns the schema that a local reference names; any other as it is. */
export function followReference(schema: unknown, root: JsonSchema): unknown {
  if (!isRecord(schema) || typeof schema.$ref !== 'string' || !schema.$ref.startsWith('#/')) return schema
  return valueAt(root, schema.$ref.slice(2).split('/'))
}
