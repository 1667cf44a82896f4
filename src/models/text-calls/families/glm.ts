import type { PrintedCall } from '../calls/printed-call.ts'
import { type Reading, skipSpace } from '../literals/reading.ts'
import type { Source } from './family.ts'
import { readValueUntil } from './read-value-until.ts'

/** The tags around the keys and values of one family. */
interface PairTags {
  readonly keyOpen: string
  readonly keyClose: string
  readonly valueOpen: string
  readonly valueClose: string
}

const tagsOf = (prefix: string): PairTags => ({
  keyOpen: `<${prefix}_key>`,
  keyClose: `</${prefix}_key>`,
  valueOpen: `<${prefix}_value>`,
  valueClose: `</${prefix}_value>`,
})
const GLM = tagsOf('arg')
const TAGS: readonly PairTags[] = [GLM, tagsOf('longcat_arg')]
export const KEY_OPENERS: readonly string[] = TAGS.map(({ keyOpen }) => keyOpen)
/** The longest key, with its tags. */
const MAX_KEY = 300

/** Where the pairs of a call begin, and what closes the call. */
export interface PairFrame {
  readonly name: string
  readonly start: number
  readonly closers: readonly string[]
}

/** GLM 4.5 and later: `name<arg_key>k</arg_key><arg_value>v</arg_value>` up to the end tag; LongCat writes `<longcat_arg_key>`. */
export function readArgumentPairs(source: Source, first: number, frame: PairFrame): Reading<PrintedCall> {
  const { text } = source
  const values = new Map<string, unknown>()
  const { keyOpen, keyClose, valueOpen, valueClose } = TAGS.find((tags) => text.startsWith(tags.keyOpen, first)) ?? GLM
  for (let at = first; ; at = skipSpace(text, at)) {
    if (frame.closers.some((closer) => text.startsWith(closer, at))) {
      const { name, start } = frame
      return { value: { name, arguments: Object.fromEntries(values), isUntyped: true, start, end: at }, end: at }
    }
    if (!text.startsWith(keyOpen, at)) return isBeginning(text, at, [keyOpen, ...frame.closers]) ? 'cut' : 'none'
    const keyEnd = at + text.slice(at, at + MAX_KEY).indexOf(keyClose)
    if (keyEnd < at) return text.length - at < MAX_KEY ? 'cut' : 'none'
    const key = text.slice(at + keyOpen.length, keyEnd).trim()
    const open = skipSpace(text, keyEnd + keyClose.length)
    if (values.has(key)) return 'none'
    if (!text.startsWith(valueOpen, open)) return isBeginning(text, open, [valueOpen]) ? 'cut' : 'none'
    const marks = { open: valueOpen, close: valueClose, follows: [keyOpen, ...frame.closers] }
    const value = readValueUntil(source, open + valueOpen.length, marks)
    if (typeof value === 'string') return value
    values.set(key, value.value)
    at = value.end
  }
}

function isBeginning(text: string, at: number, marks: readonly string[]): boolean {
  const rest = text.slice(at, at + 40)
  return marks.some((mark) => mark.startsWith(rest))
}
