import type { PrintedCall } from '../calls/printed-call.ts'
import { shapeCalls } from '../calls/shape-calls.ts'
import { readLiteral } from '../literals/read-literal.ts'
import { findAt, matchAt, type Reading, skipSpace } from '../literals/reading.ts'
import type { Family, MarkupReading, Source } from './family.ts'
import { readArgumentsAfter } from './read-body.ts'

const START = /<\|start\|>[ \t]{0,4}assistant/y
/** A header: channel, recipient and kind of content in either order, then the message token. */
const HEADER =
  /(?:[ \t]{0,4}to=[^\s<]{1,200})?[ \t]{0,4}(?:<\|channel\|>)?[ \t]{0,4}(?:analysis|commentary|final)?(?:[ \t]{1,4}to=[^\s<]{1,200})?[ \t]{0,4}(?:<\|constrain\|>)?[ \t]{0,4}(?:json|code|text)?[ \t]{0,4}<\|message\|>/y
const RECIPIENT = /\bto=([\p{L}_][\p{L}\p{N}_.:/-]{0,200})/u
const CHANNEL = /(?:<\|channel\|>|^)[ \t]{0,4}(analysis|commentary|final)/
const ENDS = ['<|end|>', '<|call|>', '<|return|>', '<|start|>', '<|channel|>']
const PARALLEL = 'multi_tool_use.parallel'
/** What is left of a call when a server drops all special tokens. */
const STRIPPED =
  /(?:commentary|analysis) to=([\p{L}_][\p{L}\p{N}_.:/-]{0,200})[ \t]{0,8}(?:commentary|code)?[ \t]{0,8}(?:<\|constrain\|>)?(?:json)?[ \t\r\n]{0,8}(?:<\|message\|>)?(?=\{|$)/uy

/** gpt-oss: messages in channels; a recipient makes a message a call, `analysis` without one is reasoning. */
export const HARMONY: Family = {
  name: 'gpt-oss (harmony)',
  openers: ['<|start|>assistant', '<|channel|>', 'analysis<|message|>', 'commentary<|message|>', 'final<|message|>'],
  read(source, at) {
    const { text } = source
    const start = at + (matchAt(START, text, at)?.[0].length ?? 0)
    const header = matchAt(HEADER, text, start)?.[0]
    if (header === undefined) return isCutHeader(text.slice(start, start + 300)) ? 'cut' : 'none'
    const content = start + header.length
    const recipient = RECIPIENT.exec(header)?.[1]
    if (recipient !== undefined) return readMessage(source, content, { name: recipient, start: at })
    const end = findEnd(text, content)
    const body = text.slice(content, end)
    const isReasoning = CHANNEL.exec(header)?.[1] === 'analysis'
    return { calls: [], end: skipEnd(text, end), ...(isReasoning ? { reasoning: body } : { text: body }) }
  },
}

/** The same as far as it goes: every part may be the last. */
const HEADER_BEGINNING =
  /^(?:[ \t]*to=[^\s<]*)?[ \t]*(?:<\|channel\|>)?[ \t]*[a-z]{0,10}(?:[ \t]+to=[^\s<]*|[ \t]+t?)?[ \t]*(?:<\|constrain\|>)?[ \t]*[a-z]{0,4}[ \t]*(?:<\|?[a-z]{0,9}\|?)?$/

/** True for the beginning of a header that the end of the message cut off. */
function isCutHeader(header: string): boolean {
  return header.length < 300 && HEADER_BEGINNING.test(header)
}

/** The same without its special tokens, as some servers return it: `analysis…assistantcommentary to=functions.x json{…}`. */
export const HARMONY_STRIPPED: Family = {
  name: 'gpt-oss without its tokens',
  openers: ['commentary to=', 'analysis'],
  startsLine: true,
  read(source, start) {
    const { text } = source
    if (text.slice(Math.max(0, start - 1000), start).trim() !== '') return 'none'
    const calls: PrintedCall[] = []
    const thoughts: string[] = []
    let at = start
    for (;;) {
      const header = matchAt(STRIPPED, text, at)
      const next = nextMessage(text, at)
      if (header !== undefined) {
        const message = readMessage(source, at + header[0].length, { name: header[1] ?? '', start: at })
        if (message === 'cut' && calls.length > 0) return { calls, end: text.length, isCut: true }
        if (typeof message === 'string') return message
        for (const call of message.calls) calls.push(call)
        at = message.end
      } else if (text.startsWith('analysis', at) && next !== undefined) {
        thoughts.push(text.slice(at + 'analysis'.length, next))
        at = next
      } else break
      if (!text.startsWith('assistant', at)) break
      at += 'assistant'.length
    }
    if (at === start) return 'none'
    const rest = text.startsWith('final', at)
      ? { text: text.slice(at + 'final'.length), end: text.length }
      : { end: at }
    return { calls, ...(thoughts.length > 0 ? { reasoning: thoughts.join('\n') } : {}), ...rest }
  },
}

/** Returns where the next message begins after a role that stands in the text. */
function nextMessage(text: string, from: number): number | undefined {
  const next = /assistant(?:final|commentary to=|analysis)/g
  next.lastIndex = from
  return next.exec(text)?.index
}

interface Call {
  readonly name: string
  readonly start: number
}

function readMessage({ text, tools }: Source, at: number, call: Call): MarkupReading {
  const open = skipSpace(text, at)
  if (open >= text.length) return 'cut'
  if (call.name.endsWith(PARALLEL)) return readParallel(text, open, call.start)
  const token = findAt(text, open, ENDS)
  if (token !== undefined && tools.find(call.name) !== undefined)
    return { calls: [{ ...call, arguments: {}, end: open + token.length }], end: open + token.length }
  const read = text[open] === '{' || text[open] === '`' ? readArgumentsAfter(text, open, call) : 'none'
  return typeof read === 'string' ? read : { calls: read.value.calls, end: skipEnd(text, skipSpace(text, read.end)) }
}

/** Reads the calls that OpenAI's models put into one made-up tool. */
function readParallel(text: string, open: number, start: number): MarkupReading {
  const read: Reading<unknown> = readLiteral(text, open)
  if (typeof read === 'string') return read
  const calls: PrintedCall[] | undefined = shapeCalls(read.value, 'marked')?.map((one) => ({
    ...one,
    start,
    end: read.end,
  }))
  return calls === undefined ? 'none' : { calls, end: skipEnd(text, read.end) }
}

function findEnd(text: string, from: number): number {
  const ends = /<\|(?:end|call|return|start|channel)\|>/g
  ends.lastIndex = from
  return ends.exec(text)?.index ?? text.length
}

/** Passes over the token that ends a message; the beginning of the next one stays. */
function skipEnd(text: string, at: number): number {
  return at + (findAt(text, at, ['<|end|>', '<|call|>', '<|return|>'])?.length ?? 0)
}
