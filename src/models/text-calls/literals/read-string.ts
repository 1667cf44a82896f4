import { JSON_ESCAPES } from '../../../core/text/json-escapes.ts'
import { matchAt, type Reading } from './reading.ts'

/** Everything up to a quote or a backslash; line breaks included, which models leave unescaped by slip. */
const PLAIN: Readonly<Record<string, RegExp>> = { '"': /[^"\\]*/y, "'": /[^'\\]*/y }

/** How a string is written: with JSON's escapes or with Python's. In both an unknown escape keeps its backslash, as in a pattern `\d`. */
export type StringStyle = 'json' | 'python'

/** Reads a string in single or double quotes; in Python style also one in triple quotes. */
export function readQuoted(text: string, at: number, style: StringStyle): Reading<string> {
  const quote = text[at] ?? ''
  const triple = quote.repeat(3)
  if (style === 'python' && text.startsWith(triple, at)) return readTriple(text, at + 3, triple)
  return readUntil(text, at + 1, { quote, closer: quote, style })
}

interface Quotes {
  readonly quote: string
  readonly closer: string
  readonly style: StringStyle
}

function readTriple(text: string, at: number, closer: string): Reading<string> {
  return readUntil(text, at, { quote: closer[0] ?? '', closer, style: 'python' })
}

function readUntil(text: string, start: number, { quote, closer, style }: Quotes): Reading<string> {
  const plain = PLAIN[quote]
  if (plain === undefined) return 'none'
  const pieces: string[] = []
  for (let at = start; ; ) {
    const run = matchAt(plain, text, at)?.[0] ?? ''
    pieces.push(run)
    at += run.length
    if (at >= text.length) return 'cut'
    if (text.startsWith(closer, at)) {
      const isPath = style === 'json' && isUnescapedPath(text.slice(start, at))
      return isPath ? 'none' : { value: pieces.join(''), end: at + closer.length }
    }
    if (text[at] === quote) {
      if (at + closer.length > text.length) return 'cut'
      pieces.push(quote)
      at++
      continue
    }
    const escaped = readEscape(text, at, style)
    if (typeof escaped === 'string') return escaped
    pieces.push(escaped.value)
    at = escaped.end
  }
}

/** The drive of a Windows path, with a single backslash after it. */
const DRIVE = /(?<![\p{L}\p{N}])[A-Za-z]:\\(?![\\/"])/u
/** An escape that means another character, after an even number of backslashes. */
const CONTROL = /(?<!\\)(?:\\\\)*\\[bfnrtu]/

/** True for a Windows path whose backslashes were not doubled and of which one would be read as a line break or the like: what was meant is not certain. */
function isUnescapedPath(raw: string): boolean {
  return DRIVE.test(raw) && CONTROL.test(raw)
}

const HEX: Readonly<Record<string, RegExp>> = { u: /[\da-fA-F]{4}/y, x: /[\da-fA-F]{2}/y }

function readEscape(text: string, at: number, style: StringStyle): Reading<string> {
  const letter = text[at + 1]
  if (letter === undefined) return 'cut'
  const hex = letter === 'x' && style === 'json' ? undefined : HEX[letter]
  if (hex !== undefined) {
    const digits = matchAt(hex, text, at + 2)?.[0]
    if (digits === undefined && at + 6 >= text.length) return 'cut'
    if (digits === undefined) return style === 'json' ? { value: `\\${letter}`, end: at + 2 } : 'none'
    return { value: String.fromCharCode(Number.parseInt(digits, 16)), end: at + 2 + digits.length }
  }
  const value = JSON_ESCAPES[letter]
  if (value !== undefined && !(style === 'python' && letter === '/')) return { value, end: at + 2 }
  return { value: letter === '\n' && style === 'python' ? '' : `\\${letter}`, end: at + 2 }
}
