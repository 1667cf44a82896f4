import { isRecord } from '../../../core/text/json.ts'
import type { PrintedCall } from '../calls/printed-call.ts'
import { readLiteral } from '../literals/read-literal.ts'
import { findAt, isCutMarker, matchAt, type Reading, skipSpace } from '../literals/reading.ts'
import type { Family } from './family.ts'

const CALL = /call:[ \t]{0,4}([\p{L}_][\p{L}\p{N}_.:/-]{0,200})[ \t\r\n]{0,20}/uy
const CLOSERS = ['<end_function_call>', '<tool_call|>']
const STYLE = { strings: 'json', quoteTokens: ['<escape>', '<|"|>'] } as const

/** FunctionGemma and Gemma 4: `call:name{key:<escape>text<escape>}` between tokens. */
export const GEMMA: Family = {
  name: 'Gemma',
  openers: ['<start_function_call>', '<|tool_call>'],
  read(source, at, opener) {
    const { text } = source
    const calls: PrintedCall[] = []
    for (let next = skipSpace(text, at + opener.length), end = next; ; ) {
      const call = readCall(text, next)
      if (call === 'none') return calls.length === 0 ? 'none' : { calls, end }
      if (call === 'cut') return calls.length === 0 ? 'cut' : { calls, end: text.length, isCut: true }
      calls.push(call.value)
      const after = skipSpace(text, call.end)
      const closer = findAt(text, after, CLOSERS)
      if (closer !== undefined) return { calls, end: after + closer.length }
      if (after >= text.length || CLOSERS.some((one) => isCutMarker(text, after, one)))
        return { calls, end: text.length }
      end = call.end
      next = text[after] === ',' ? skipSpace(text, after + 1) : after
    }
  },
}

function readCall(text: string, start: number): Reading<PrintedCall> {
  const call = matchAt(CALL, text, start)
  if (call === undefined) return start >= text.length || isCutMarker(text, start, 'call:') ? 'cut' : 'none'
  const at = start + call[0].length
  const read = at < text.length && text[at] !== '{' ? 'none' : readLiteral(text, at, STYLE)
  if (typeof read === 'string') return read
  if (!isRecord(read.value)) return 'none'
  return { value: { name: call[1] ?? '', arguments: read.value, start, end: read.end }, end: read.end }
}
