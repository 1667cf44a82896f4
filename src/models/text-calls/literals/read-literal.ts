import { readQuoted, type StringStyle } from './read-string.ts'
import { findAt, matchAt, type Reading, skipComments, skipSpace } from './reading.ts'

/** How deep values may be nested; deeper ones are not read. */
const MAX_DEPTH = 100
const WORD = /[\p{L}\p{N}_$.+-]+/uy
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u
const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
])

/** How a dialect differs from JSON. */
export interface LiteralStyle {
  readonly strings: StringStyle
  /** Tokens that stand on both sides of a string in place of quotes. */
  readonly quoteTokens?: readonly string[]
  /** Markers after the value: where one stands inside it, the value was cut off. */
  readonly endMarkers?: readonly string[]
  /** An outermost object may lack its last brace where an end marker follows. */
  readonly mayLackBrace?: boolean
}

export const JSON_STYLE: LiteralStyle = { strings: 'json' }
export const PYTHON_STYLE: LiteralStyle = { strings: 'python' }

/**
 * Reads a JSON value or a Python literal. Tolerates trailing commas, comments, single quotes, keys without quotes, and in strings line breaks and unknown escapes.
 * Never completes what is cut off, and never reads an expression.
 */
export function readLiteral(text: string, at: number, style: LiteralStyle = JSON_STYLE): Reading<unknown> {
  return readValue({ text, style }, at, 0)
}

interface Input {
  readonly text: string
  readonly style: LiteralStyle
}

/** True where the text ends, or an end marker says that nothing more comes. */
function isOver({ text, style }: Input, at: number): boolean {
  return at >= text.length || findAt(text, at, style.endMarkers ?? []) !== undefined
}

/** Skips white space, and comments where the style is JSON's. */
function skipGap({ text, style }: Input, at: number): number {
  return style.strings === 'json' ? skipComments(text, at, style.endMarkers) : skipSpace(text, at)
}

function readValue(input: Input, at: number, depth: number): Reading<unknown> {
  const { text, style } = input
  if (isOver(input, at)) return 'cut'
  if (depth > MAX_DEPTH) return 'none'
  const character = text[at]
  if (character === '{') return readObject(input, at + 1, depth)
  if (character === '[') return readArray(input, at + 1, { depth, close: ']' })
  if (character === '(' && style.strings === 'python') return readArray(input, at + 1, { depth, close: ')' })
  return readText(input, at) ?? readWord(text, at)
}

/** Reads a string in quotes or quote tokens; undefined where none begins. */
function readText({ text, style }: Input, at: number): Reading<string> | undefined {
  const token = findAt(text, at, style.quoteTokens ?? [])
  if (token !== undefined) {
    const end = text.indexOf(token, at + token.length)
    return end === -1 ? 'cut' : { value: text.slice(at + token.length, end), end: end + token.length }
  }
  return text[at] === '"' || text[at] === "'" ? readQuoted(text, at, style.strings) : undefined
}

/** Reads a number, true, false or null. An integer that a JavaScript number cannot hold exactly stays text. */
function readWord(text: string, at: number): Reading<unknown> {
  const word = matchAt(WORD, text, at)?.[0] ?? ''
  const end = at + word.length
  if (word !== '' && end >= text.length) return 'cut'
  const literal = LITERALS.get(word)
  if (literal !== undefined) return { value: literal, end }
  if (!NUMBER.test(word)) return 'none'
  const value = Number(word)
  const isExact = Number.isFinite(value) && (Number.isSafeInteger(value) || !/^-?\d+$/.test(word))
  return { value: isExact ? value : word, end }
}

function readObject(input: Input, start: number, depth: number): Reading<unknown> {
  const { text, style } = input
  const entries = new Map<string, unknown>()
  for (let at = skipGap(input, start); ; at = skipGap(input, at)) {
    if (text[at] === '}') return { value: Object.fromEntries(entries), end: at + 1 }
    const key = readKey(input, at)
    if (typeof key === 'string') return key
    if (entries.has(key.value)) return 'none'
    const colon = skipGap(input, key.end)
    if (colon >= text.length) return 'cut'
    if (text[colon] !== ':') return 'none'
    const value = readValue(input, skipGap(input, colon + 1), depth + 1)
    if (typeof value === 'string') return value
    entries.set(key.value, value.value)
    at = skipGap(input, value.end)
    if (at < text.length && depth === 0 && style.mayLackBrace && isOver(input, at))
      return { value: Object.fromEntries(entries), end: at }
    if (isOver(input, at)) return 'cut'
    if (text[at] === ',') at++
    else if (text[at] !== '}') return 'none'
  }
}

function readKey(input: Input, at: number): Reading<string> {
  const { text } = input
  if (isOver(input, at)) return 'cut'
  const quoted = readText(input, at)
  if (quoted !== undefined) return quoted
  const word = matchAt(WORD, text, at)?.[0] ?? ''
  if (!KEY.test(word)) return 'none'
  return at + word.length >= text.length ? 'cut' : { value: word, end: at + word.length }
}

interface ArrayFrame {
  readonly depth: number
  readonly close: string
}

function readArray(input: Input, start: number, { depth, close }: ArrayFrame): Reading<unknown> {
  const { text } = input
  const values: unknown[] = []
  for (let at = skipGap(input, start); ; at = skipGap(input, at)) {
    if (text[at] === close) return { value: values, end: at + 1 }
    const value = readValue(input, at, depth + 1)
    if (typeof value === 'string') return value
    values.push(value.value)
    at = skipGap(input, value.end)
    if (isOver(input, at)) return 'cut'
    if (text[at] === ',') at++
    else if (text[at] !== close) return 'none'
  }
}
