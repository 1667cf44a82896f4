import type { PrintedCall } from '../calls/printed-call.ts'
import { matchAt, type Reading, skipSpace } from '../literals/reading.ts'
import type { Source } from './family.ts'
import { readValueUntil } from './read-value-until.ts'

export const LEGACY_OPEN = '<invoke>'
const HEAD = /<invoke>\s{0,20}<tool_name>\s{0,20}([^<>\s]{1,300})\s{0,20}<\/tool_name>\s{0,20}<parameters>/y
const KEY = /<([\p{L}_][\p{L}\p{N}_-]{0,100})>/uy
const END = /<\/parameters>\s{0,20}<\/invoke>/y

/** Claude 2: `<invoke><tool_name>x</tool_name><parameters><path>y</path></parameters></invoke>`. */
export function readLegacyInvoke(source: Source, start: number): Reading<PrintedCall> {
  const { text } = source
  const head = matchAt(HEAD, text, start)
  if (head === undefined) return text.length - start < 400 && !text.includes('</', start + 8) ? 'cut' : 'none'
  const values = new Map<string, unknown>()
  for (let at = start + head[0].length; ; ) {
    at = skipSpace(text, at)
    const end = matchAt(END, text, at)
    if (end !== undefined) {
      const value = {
        name: head[1] ?? '',
        arguments: Object.fromEntries(values),
        isUntyped: true,
        start,
        end: at + end[0].length,
      }
      return { value, end: value.end }
    }
    const open = matchAt(KEY, text, at)
    if (open === undefined) return at >= text.length || text.length - at < 40 ? 'cut' : 'none'
    const key = open[1] ?? ''
    const marks = { open: `<${key}>`, close: `</${key}>`, follows: ['<', '</parameters>'] }
    const value = readValueUntil(source, at + open[0].length, marks)
    if (typeof value === 'string') return value
    if (values.has(key)) return 'none'
    values.set(key, value.value)
    at = value.end
  }
}
