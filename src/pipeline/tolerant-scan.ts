import type { TextProblem } from './json-text.ts'
import { opensString, readQuoted } from './tolerant-string.ts'

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' }
const LITERALS = new Set(['true', 'false', 'null', 'True', 'False', 'None', 'undefined'])
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
const BARE_KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u
const BARE = /[^\s,:{}[\]]+/y

/** What almost-JSON says: its keys and texts, in their order. */
export interface Scanned {
  readonly texts: readonly string[]
}

/** What stood before the place that is looked at. */
type Before = 'start' | 'open' | 'comma' | 'colon' | 'plus' | 'text' | 'value' | 'end'

interface Scan {
  readonly text: string
  at: number
  before: Before
  /** Where the last string ended. */
  stringEnd: number
  /** A string holds quotes that were not escaped. */
  isLoose: boolean
  /** A string follows on another without a comma or colon between them. */
  isJoined: boolean
  readonly open: string[]
  readonly texts: string[]
}

/**
 * Looks through an object of almost-JSON for what no repair may guess: an end that is missing, an elision, an escape with
 * two meanings, a value without quotes that is none of JSON, something after the end. All brackets and quotes close at the end.
 */
export function scanTolerantly(text: string): Scanned | TextProblem {
  const scan: Scan = {
    text,
    at: 0,
    before: 'start',
    stringEnd: -1,
    isLoose: false,
    isJoined: false,
    open: [],
    texts: [],
  }
  while (scan.at < text.length) {
    const problem = readToken(scan, text[scan.at] ?? '')
    if (problem !== undefined) return { problem: `it is not valid JSON: ${problem}` }
  }
  if (scan.isLoose && scan.isJoined) return { problem: 'it is not valid JSON: where its strings end is not clear' }
  if (scan.before === 'end') return scan
  if (scan.open.length === 0) return { problem: 'it is not valid JSON' }
  const missing = scan.open.length === 1 ? 'a closing' : `${scan.open.length} closing`
  return { problem: `it is not valid JSON: it was cut off: ${missing} "${scan.open.at(-1)}" missing at the end` }
}

/** Moves over one token; says what is wrong with it. */
function readToken(scan: Scan, character: string): string | undefined {
  const { text, at, before } = scan
  if (/\s/.test(character)) return skipTo(scan, at + 1)
  if (character === '/') return readComment(scan)
  if (before === 'end') return `something follows after the end: ${JSON.stringify(text.slice(at, at + 20))}`
  if (before === 'start' && character !== '{') return 'it begins with something else than "{"'
  if (text.startsWith('...', at) || character === '…')
    return `it leaves something out ("${character === '.' ? '...' : character}")`
  if (opensString(character)) return readString(scan)
  if (CLOSING[character]) {
    scan.open.push(CLOSING[character])
    return pass(scan, 'open')
  }
  if (!/[,:+}\]]/.test(character)) return readBare(scan)
  if (character === '+') return before === 'text' ? pass(scan, 'plus') : readBare(scan)
  if (before === 'colon' || before === 'plus') return `a value is missing before a "${character}"`
  if (character === ':') return before === 'text' ? pass(scan, 'colon') : 'a key is missing before a ":"'
  if (character === ',') return /open|comma/.test(before) ? 'a value is missing before a ","' : pass(scan, 'comma')
  if (scan.open.pop() !== character) return `there is a "${character}" too many, or one of another kind is missing`
  return pass(scan, scan.open.length === 0 ? 'end' : 'value')
}

function skipTo(scan: Scan, at: number): undefined {
  scan.at = at
}

function pass(scan: Scan, before: Before): undefined {
  scan.before = before
  scan.at++
}

function readComment(scan: Scan): string | undefined {
  const { text, at } = scan
  const isLine = text.startsWith('//', at)
  if (!isLine && !text.startsWith('/*', at)) return 'a "/" begins nothing there'
  const end = text.indexOf(isLine ? '\n' : '*/', at + 2)
  if (end === -1 && !isLine) return 'it was cut off inside a comment'
  return skipTo(scan, end === -1 ? text.length : end + (isLine ? 1 : 2))
}

function readString(scan: Scan): string | undefined {
  const { text, at, before, texts } = scan
  if (before === 'text' && scan.stringEnd === at) return 'two strings touch each other'
  if (before === 'text' && scan.open.at(-1) === ']') return 'a comma is missing between two strings'
  const read = readQuoted(text, at)
  if ('problem' in read) return read.problem
  scan.isLoose ||= read.isLoose
  scan.isJoined ||= before === 'text' || before === 'plus'
  if (before === 'plus') texts.push((texts.pop() ?? '') + read.value)
  else texts.push(read.value)
  scan.before = 'text'
  scan.stringEnd = read.end
  return skipTo(scan, read.end)
}

/** Without quotes there are keys, numbers and the words for true, false and nothing, in JSON, Python and JavaScript. */
function readBare(scan: Scan): string | undefined {
  BARE.lastIndex = scan.at
  const word = BARE.exec(scan.text)?.[0] ?? ''
  const end = scan.at + word.length
  const isKey = BARE_KEY.test(word) && /^\s*:/.test(scan.text.slice(end, end + 200))
  if (!isKey && !LITERALS.has(word) && !NUMBER.test(word))
    return `${JSON.stringify(word.slice(0, 40))} has no quotes and is no JSON value`
  if (isKey) scan.texts.push(word)
  scan.before = isKey ? 'text' : 'value'
  return skipTo(scan, end)
}
