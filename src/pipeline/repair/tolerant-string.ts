import { JSON_ESCAPES } from '../../core/text/json-escapes.ts'
import type { TextProblem } from './json-text.ts'

/** The characters that may close a string opened with this quote. */
const CLOSERS: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”“"',
  '”': '”',
  '‘': "’‘'",
  '’': '’',
}
const ESCAPED: Readonly<Record<string, string>> = { ...JSON_ESCAPES, '`': '`' }

/** Control characters that models often forget to escape. */
const SLIPS = '\b\f\n\r\t'

/** A string of malformed JSON: its value and where it ends. */
export interface QuotedText {
  readonly value: string
  readonly end: number
  /** True if it contains unescaped quotes of its own kind. */
  readonly isLoose: boolean
}

/** True if a string begins here, in quotes of any kind. */
export function opensString(character: string): boolean {
  return Object.hasOwn(CLOSERS, character)
}

/** Reads the string that starts at an index. Refuses a string that is cut off or has an ambiguous escape. */
export function readQuoted(text: string, start: number): QuotedText | TextProblem {
  const closers = CLOSERS[text[start] ?? ''] ?? ''
  let value = ''
  let isLoose = false
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '\\') {
      const read = readEscape(text, at)
      if ('problem' in read) return read
      value += read.value
      at = read.end - 1
    } else if (closers.includes(character) && endsString(text, at + 1)) return { value, end: at + 1, isLoose }
    else if (character < ' ' && !SLIPS.includes(character))
      return { problem: 'a string contains a control character that is not escaped' }
    else {
      isLoose ||= closers.includes(character)
      value += character
    }
  }
  return { problem: 'it was cut off inside a string' }
}

function readEscape(text: string, at: number): Omit<QuotedText, 'isLoose'> | TextProblem {
  const letter = text[at + 1]
  if (letter === undefined) return { problem: 'it was cut off inside an escape' }
  const code = letter === 'u' && /^[\da-f]{4}$/i.exec(text.slice(at + 2, at + 6))?.[0]
  if (code) return { value: String.fromCharCode(Number.parseInt(code, 16)), end: at + 6 }
  const value = ESCAPED[letter]
  if (value !== undefined) return { value, end: at + 2 }
  const shown = letter < ' ' ? 'a backslash before a line end' : `"\\${letter}"`
  return { problem: `${shown} is not a JSON escape; write "\\\\" for a backslash` }
}

/** True if the string can end at this quote. Otherwise it is a quote that the model forgot to escape. */
function endsString(text: string, after: number): boolean {
  return /^(?:\s*[,:}\]+/]|\s*$|\s+["'“‘])/.test(text.slice(after, after + 200))
}
