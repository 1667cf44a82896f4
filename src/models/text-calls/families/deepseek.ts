import type { PrintedCall } from '../calls/printed-call.ts'
import { matchAt, type Reading, skipSpace } from '../literals/reading.ts'
import type { Family, MarkupReading, Source } from './family.ts'
import { readArgumentsAfter } from './read-body.ts'
import { opensXmlCall, readXmlCall } from './read-xml-call.ts'

/** The bars are full-width, the blanks are U+2581; servers and people also write them in ASCII. */
const token = (words: string): string => `<[｜|]tool[▁_ ]${words}[｜|]>`
const SECTION_BEGIN = new RegExp(token('calls[▁_ ](?:section[▁_ ])?begin'), 'y')
const SECTION_END = new RegExp(token('calls[▁_ ](?:section[▁_ ])?end'), 'y')
const CALL_BEGIN = new RegExp(token('call[▁_ ]begin'), 'y')
const CALL_END = new RegExp(token('call[▁_ ]end'), 'y')
const SEPARATOR = new RegExp(`${token('sep')}|${token('call[▁_ ]argument[▁_ ]begin')}`, 'y')
const NAME = /[ \t\r\n]{0,20}([\p{L}_][\p{L}\p{N}_.:/-]{0,200})[ \t\r\n]{0,20}/uy
const INDEX = /:\d{1,6}$/

const BARS = ['｜', '|']
const BLANKS = ['▁', '_']
const words = (...parts: string[]): string[] =>
  BARS.flatMap((bar) => BLANKS.map((blank) => `<${bar}${['tool', ...parts].join(blank)}${bar}>`))

/** DeepSeek V3, R1 and V3.1, Kimi K2, Step-3: special tokens around a name and JSON. */
export const DEEPSEEK: Family = {
  name: 'DeepSeek, Kimi K2',
  openers: [...words('calls', 'begin'), ...words('calls', 'section', 'begin'), ...words('call', 'begin')],
  read: readTokenCalls,
}

function readTokenCalls(source: Source, start: number): MarkupReading {
  const { text } = source
  const calls: PrintedCall[] = []
  let end = start
  for (let at = skipToken(text, start, SECTION_BEGIN); ; ) {
    const begin = matchAt(CALL_BEGIN, text, skipSpace(text, at))
    if (begin === undefined) {
      if (calls.length > 0) return finish(text, calls, end)
      return isCutToken(text, skipSpace(text, at)) ? 'cut' : 'none'
    }
    const call = readTokenCall(source, begin.index + begin[0].length)
    if (call === 'none') return calls.length > 0 ? finish(text, calls, end) : 'none'
    if (call === 'cut') return calls.length > 0 ? { calls, end: text.length, isCut: true } : 'cut'
    calls.push({ ...call.value, start: begin.index, end: call.end })
    end = call.end
    at = call.end
  }
}

function finish(text: string, calls: readonly PrintedCall[], end: number): MarkupReading {
  const at = skipSpace(text, end)
  const isOver = at >= text.length || isCutToken(text, at)
  return { calls, end: matchAt(SECTION_END, text, at) ? skipToken(text, at, SECTION_END) : isOver ? text.length : end }
}

function skipToken(text: string, at: number, pattern: RegExp): number {
  return at + (matchAt(pattern, text, at)?.[0].length ?? 0)
}

/** Reads `function<sep>name` and a fence (V3), `name<sep>{…}` (V3.1), `functions.name:0<argument begin>{…}` (Kimi), or an XML call (Step-3). */
function readTokenCall(source: Source, at: number): Reading<PrintedCall> {
  const { text } = source
  const first = matchAt(NAME, text, at)
  if (first === undefined) return at >= text.length ? 'cut' : 'none'
  const separator = at + first[0].length
  const mark = matchAt(SEPARATOR, text, separator)
  if (mark === undefined) return isCutToken(text, separator) ? 'cut' : 'none'
  let after = separator + mark[0].length
  let name = first[1] ?? ''
  const isTyped = name === 'function'
  if (isTyped && opensXmlCall(text, skipSpace(text, after))) {
    const call = readXmlCall(source, skipSpace(text, after))
    return typeof call === 'string' ? call : { value: call.value, end: closeCall(text, call.end) }
  }
  const second = isTyped ? matchAt(NAME, text, after) : undefined
  if (isTyped && second === undefined) return after >= text.length ? 'cut' : 'none'
  if (second !== undefined) {
    name = second[1] ?? ''
    after += second[0].length
  }
  const open = skipSpace(text, after)
  if (open >= text.length) return 'cut'
  const read = readArgumentsAfter(text, open, { name: name.replace(INDEX, ''), start: at })
  if (typeof read === 'string') return read
  const [call] = read.value.calls
  return call === undefined ? 'none' : { value: call, end: closeCall(text, read.end) }
}

function closeCall(text: string, end: number): number {
  const at = skipSpace(text, end)
  return matchAt(CALL_END, text, at) ? skipToken(text, at, CALL_END) : end
}

/** True where the message ends, or ends inside a token. */
function isCutToken(text: string, at: number): boolean {
  return at >= text.length || (text[at] === '<' && text.length - at < 40 && text.indexOf('>', at) === -1)
}
