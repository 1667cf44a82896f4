import { matchAt, type Reading } from './reading.ts'

const ESCAPED: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}
/** Everything up to a quote or a backslash; line breaks included, which models leave unescaped by slip. */
const PLAIN: Readonly<Record<string, RegExp>> = { '"': /[^"\\]*/y, "'": /[^'\\]*/y }

/** How a string is written: JSON escapes alone, or Python's, where an unknown escape keeps its backslash. */
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
    if (text.startsWith(closer, at)) return { value: pieces.join(''), end: at + closer.length }
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

const HEX: Readonly<Record<string, RegExp>> = { u: /[\da-fA-F]{4}/y, x: /[\da-fA-F]{2}/y }

function readEscape(text: string, at: number, style: StringStyle): Reading<string> {
  const letter = text[at + 1]
  if (letter === undefined) return 'cut'
  const hex = letter === 'x' && style === 'json' ? undefined : HEX[letter]
  if (hex !== undefined) {
    const digits = matchAt(hex, text, at + 2)?.[0]
    if (digits === undefined) return at + 6 >= text.length ? 'cut' : 'none'
    return { value: String.fromCharCode(Number.parseInt(digits, 16)), end: at + 2 + digits.length }
  }
  const value = ESCAPED[letter]
  if (value !== undefined && !(style === 'python' && letter === '/')) return { value, end: at + 2 }
  if (style === 'json') return 'none'
  return { value: letter === '\n' ? '' : `\\${letter}`, end: at + 2 }
}
