import type { PrintedCall } from '../calls/printed-call.ts'
import { type Reading, skipSpace } from '../literals/reading.ts'
import type { Source } from './family.ts'
import { readValueUntil } from './read-value-until.ts'

export const KEY_OPEN = '<arg_key>'
const KEY_CLOSE = '</arg_key>'
/** The longest key, with its tags. */
const MAX_KEY = 300
const VALUE_OPEN = '<arg_value>'
const VALUE_CLOSE = '</arg_value>'

/** Where the pairs of a call begin, and what closes the call. */
export interface PairFrame {
  readonly name: string
  readonly start: number
  readonly closers: readonly string[]
}

/** GLM 4.5 and later: `name<arg_key>k</arg_key><arg_value>v</arg_value>` up to the end tag. */
export function readArgumentPairs(source: Source, first: number, frame: PairFrame): Reading<PrintedCall> {
  const { text } = source
  const values = new Map<string, unknown>()
  for (let at = first; ; at = skipSpace(text, at)) {
    if (frame.closers.some((closer) => text.startsWith(closer, at))) {
      const { name, start } = frame
      return { value: { name, arguments: Object.fromEntries(values), isUntyped: true, start, end: at }, end: at }
    }
    if (!text.startsWith(KEY_OPEN, at)) return isBeginning(text, at, [KEY_OPEN, ...frame.closers]) ? 'cut' : 'none'
    const keyEnd = at + text.slice(at, at + MAX_KEY).indexOf(KEY_CLOSE)
    if (keyEnd < at) return text.length - at < MAX_KEY ? 'cut' : 'none'
    const key = text.slice(at + KEY_OPEN.length, keyEnd).trim()
    const open = skipSpace(text, keyEnd + KEY_CLOSE.length)
    if (values.has(key)) return 'none'
    if (!text.startsWith(VALUE_OPEN, open)) return isBeginning(text, open, [VALUE_OPEN]) ? 'cut' : 'none'
    const marks = { open: VALUE_OPEN, close: VALUE_CLOSE, follows: [KEY_OPEN, ...frame.closers] }
    const value = readValueUntil(source, open + VALUE_OPEN.length, marks)
    if (typeof value === 'string') return value
    values.set(key, value.value)
    at = value.end
  }
}

function isBeginning(text: string, at: number, marks: readonly string[]): boolean {
  const rest = text.slice(at, at + 40)
  return marks.some((mark) => mark.startsWith(rest))
}
