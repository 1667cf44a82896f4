import type { TextProblem } from './json-text.ts'
import { StrictWriter } from './strict-writer.ts'
import { opensString, readQuoted } from './tolerant-string.ts'

/** The words for true, false and nothing, in JSON, Python and JavaScript. */
const LITERALS = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
  ['undefined', 'null'],
])
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
/** A number without a digit before the point; one without a digit after it may be cut off. */
const LOOSE_NUMBER = /^-?\.\d+$/
/** A path or file name, which is recognisable without quotes. A plain word is not, because it may be a variable. */
const BARE_PATH = /^(?=.*[./])[\p{L}_~./][\p{L}\p{N}_~./@-]*$/u
const BARE_KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u
const BARE = /[^\s,:{}[\]]+/y

/** The outcome of reading malformed JSON. */
export interface Scanned {
  /** The corrected JSON text. */
  readonly json: string
  /** Its keys and strings, in order. */
  readonly texts: readonly string[]
  /** True if a string contains unescaped quotes, so that its end is likely but not certain. */
  readonly isLoose: boolean
}

interface Scan {
  readonly text: string
  readonly writer: StrictWriter
  at: number
  /** The state before the current index, if it matters. */
  before: 'start' | 'string' | 'plus' | 'end' | 'other'
  isLoose: boolean
}

/**
 * Reads an object of malformed JSON. Refuses what a repair must not guess: a missing end, an elision, an ambiguous escape,
 * an unquoted value that JSON does not have, and text after the end.
 */
export function scanTolerantly(text: string): Scanned | TextProblem {
  const scan: Scan = { text, writer: new StrictWriter(), at: 0, before: 'start', isLoose: false }
  const problem = readTokens(scan)
  if (problem !== undefined) return { problem: `it is not valid JSON: ${problem}` }
  const { json, texts } = scan.writer
  return { json, texts, isLoose: scan.isLoose }
}

function readTokens(scan: Scan): string | undefined {
  while (scan.at < scan.text.length) {
    const problem = readToken(scan, scan.text[scan.at] ?? '')
    if (problem !== undefined) return problem
  }
  const { count, close } = scan.writer.missing
  if (count > 0)
    return `it was cut off: ${count === 1 ? 'a closing' : `${count} closing`} "${close}" missing at the end`
  if (scan.isLoose && scan.writer.isJoined) return 'where its strings end is not clear'
  return scan.before === 'end' ? undefined : 'it is not an object'
}

/** Reads one token. Returns what is wrong with it, or undefined. */
function readToken(scan: Scan, character: string): string | undefined {
  const { text, at, before } = scan
  if (/\s/.test(character)) return skipTo(scan, at + 1)
  if (character === '/') return readComment(scan)
  if (before === 'end') return followsAfterEnd(scan)
  if (before === 'start' && character !== '{') return 'it does not begin with "{"'
  if (text.startsWith('...', at) || character === '…')
    return `it leaves something out ("${character === '.' ? '...' : character}")`
  if (opensString(character)) return readString(scan)
  if (before === 'plus') return 'a text is missing after a "+"'
  if (character === '+' && before === 'string') return pass(scan, 'plus')
  return /[{}[\],:]/.test(character) ? readMark(scan, character) : readBare(scan)
}

function followsAfterEnd({ text, at }: Scan): string {
  return `something follows after the end: ${JSON.stringify(text.slice(at, at + 20))}`
}

function readMark(scan: Scan, character: string): string | undefined {
  const { writer } = scan
  pass(scan, 'other')
  if (character === '{' || character === '[') return writer.open(character)
  if (character === ':') return writer.colon()
  if (character === ',') return writer.comma()
  const problem = writer.close(character)
  if (writer.missing.count === 0) scan.before = 'end'
  return problem
}

function skipTo(scan: Scan, at: number): undefined {
  scan.at = at
}

function pass(scan: Scan, before: Scan['before']): undefined {
  scan.before = before
  scan.at++
}

/** Skips a comment. A comment after the end that looks like more arguments is refused. */
function readComment(scan: Scan): string | undefined {
  const { text, at } = scan
  const isLine = text.startsWith('//', at)
  if (!isLine && !text.startsWith('/*', at)) return 'there is an unexpected "/"'
  const end = text.indexOf(isLine ? '\n' : '*/', at + 2)
  if (end === -1 && !isLine) return 'it was cut off inside a comment'
  const after = end === -1 ? text.length : end + (isLine ? 1 : 2)
  if (scan.before === 'end' && /[{}"]/.test(text.slice(at, after))) return followsAfterEnd(scan)
  return skipTo(scan, after)
}

function readString(scan: Scan): string | undefined {
  const { text, at, before, writer } = scan
  const read = readQuoted(text, at)
  if ('problem' in read) return read.problem
  scan.isLoose ||= read.isLoose
  scan.before = 'string'
  skipTo(scan, read.end)
  return before === 'plus' ? writer.join(read.value) : writer.text(read.value)
}

/** Reads a word without quotes: a key, a number, a literal, or a path as a value. */
function readBare(scan: Scan): string | undefined {
  BARE.lastIndex = scan.at
  const word = BARE.exec(scan.text)?.[0] ?? ''
  const end = scan.at + word.length
  if (end === scan.text.length) return `it was cut off after ${JSON.stringify(word.slice(-40))}`
  scan.before = 'other'
  skipTo(scan, end)
  if (BARE_KEY.test(word) && /^\s*:/.test(scan.text.slice(end, end + 200))) return scan.writer.text(word, 'key')
  const value = LITERALS.get(word) ?? numberOf(word)
  if (value !== undefined) return scan.writer.value(value)
  if (scan.writer.isAtValue && BARE_PATH.test(word)) return scan.writer.text(word)
  return `${JSON.stringify(word.slice(0, 40))} has no quotes and is not a JSON value`
}

function numberOf(word: string): string | undefined {
  if (NUMBER.test(word)) return word
  return LOOSE_NUMBER.test(word) ? String(Number(word)) : undefined
}
