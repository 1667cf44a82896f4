import { isRecord, type JsonSchema } from '../core/json.ts'
import type { Issue } from '../core/snapshot.ts'
import { readJson, type TextProblem } from './json-text.ts'
import { findHole } from './tolerant-scan.ts'

/** A value that was read only after repairs, and the repairs in words. */
export interface Repaired {
  readonly value: unknown
  readonly repairs: readonly string[]
}

/** Reads a text that strict JSON refused: fences, JSON inside a string, the slips models make. Never completes what was cut off. */
export async function repairText(text: string, problem: TextProblem): Promise<Repaired | TextProblem> {
  const unfenced = stripFence(text)
  if (unfenced !== undefined) {
    const read = readJson(unfenced)
    if ('value' in read) return { value: read.value, repairs: ['took the arguments out of a Markdown fence'] }
  }
  const body = (unfenced ?? text).trim()
  if (!body.startsWith('{') || problem.problem.includes('twice')) return problem
  const hole = findHole(body)
  if (hole !== undefined) return { problem: `it is not valid JSON: ${hole}` }
  const { jsonrepair } = await import('jsonrepair')
  try {
    const read = readJson(jsonrepair(body))
    return 'value' in read ? { value: read.value, repairs: ['mended the JSON syntax'] } : read
  } catch {
    return problem
  }
}

/** Opens JSON that was encoded as a string, once or twice over. */
export function decodeString(text: string): Repaired | undefined {
  let inner: unknown = text
  for (let times = 1; times <= 2 && typeof inner === 'string'; times++) {
    const read = readJson(inner)
    if (!('value' in read)) return undefined
    inner = read.value
    if (isRecord(inner)) return { value: inner, repairs: ['decoded arguments that were JSON inside a string'] }
  }
  return undefined
}

function stripFence(text: string): string | undefined {
  return /^\s*```[\w-]*[ \t]*\r?\n([\s\S]*?)\r?\n?[ \t]*```\s*$/.exec(text)?.[1]
}

/** Mends single values the schema refused, where only one meaning is possible; undefined when nothing could be mended. */
export function repairValue(value: unknown, issues: readonly Issue[], schema: JsonSchema): Repaired | undefined {
  const repairs: string[] = []
  let mended = value
  for (const issue of issues) {
    if (!issue.expected || issue.path.length === 0) continue
    const given = valueAt(mended, issue.path)
    const place = issue.path.join('.')
    if (given === null && isOptional(schema, issue.path)) {
      mended = replaceAt(mended, issue.path, undefined)
      repairs.push(`left out ${place}: it was null and is optional`)
      continue
    }
    const better = typeof given === 'string' ? readAs(given, issue.expected) : undefined
    if (better === undefined) continue
    mended = replaceAt(mended, issue.path, better)
    repairs.push(`read ${place} as ${Array.isArray(better) ? 'array' : typeof better}: it was given as text`)
  }
  return repairs.length === 0 ? undefined : { value: mended, repairs }
}

/** Text that can only mean one value of an expected type: "true", "5", "[…]", "{…}". */
function readAs(text: string, expected: readonly string[]): unknown {
  if (expected.includes('string')) return undefined
  const trimmed = text.trim()
  const read =
    /^(true|false|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|[[{][\s\S]*[\]}])$/.test(trimmed) && readJson(trimmed)
  if (!read || !('value' in read)) return undefined
  const type = Array.isArray(read.value) ? 'array' : typeof read.value
  const fits =
    expected.includes(type) || (type === 'number' && expected.includes('integer') && Number.isInteger(read.value))
  return fits ? read.value : undefined
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  )
}

/** A copy with one place changed; undefined leaves a key out. */
function replaceAt(value: unknown, path: readonly (string | number)[], replacement: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return replacement
  const inner = replaceAt(valueAt(value, [key]), rest, replacement)
  if (Array.isArray(value)) return value.map((item, i) => (i === key ? inner : item))
  return Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).flatMap(([name, member]) => {
      if (name !== key) return [[name, member]]
      return inner === undefined ? [] : [[name, inner]]
    }),
  )
}

function isOptional(schema: JsonSchema, path: readonly (string | number)[]): boolean {
  let at: unknown = schema
  for (const key of path.slice(0, -1)) {
    if (!isRecord(at)) return false
    at = typeof key === 'number' ? at.items : isRecord(at.properties) ? at.properties[key] : undefined
  }
  if (!isRecord(at) || typeof path.at(-1) !== 'string') return false
  return !(Array.isArray(at.required) && at.required.includes(path.at(-1)))
}
