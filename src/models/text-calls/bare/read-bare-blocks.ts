import type { PrintedCall } from '../calls/printed-call.ts'
import { shapeCalls } from '../calls/shape-calls.ts'
import { FAMILY_OF } from '../families/families.ts'
import type { Source } from '../families/family.ts'
import { openSource } from '../families/family.ts'
import { fromPython, readArgumentsAfter, readBody } from '../families/read-body.ts'
import { CLOSERS } from '../families/tagged.ts'
import { readLiteral } from '../literals/read-literal.ts'
import { readPythonCall, readPythonList } from '../literals/read-python-calls.ts'
import { findAt, matchAt, type Reading, skipSpace } from '../literals/reading.ts'
import { closeFence, openFence } from '../scan/fences.ts'

/** What a run of blocks holds. */
export interface BareBlocks {
  readonly calls: readonly PrintedCall[]
  /** A call was cut off after these. */
  readonly isCut: boolean
  /** All stand in fences that are made for calls. */
  readonly isToolFence: boolean
}

/** Languages of a fence that may hold a call. */
const LANGUAGES = new Set([
  '',
  'json',
  'jsonc',
  'json5',
  'js',
  'javascript',
  'python',
  'py',
  'xml',
  'text',
  'txt',
  'plaintext',
])
const TOOL_FENCES = new Set([
  'tool_code',
  'tool_call',
  'tool_calls',
  'tool',
  'tool_use',
  'function_call',
  'functioncall',
])
/** A label in front of the calls. */
const LABEL = /(?:(?:tool_calls|function_calls?|tool_call)[ \t]?:[ \t\r\n]{0,8}|json[ \t]?\r?\n)(?=[{[])/iy
/** A name in front of its arguments: what is left of several families' calls when a server drops their special tokens. */
const NAME =
  /([\p{L}_][\p{L}\p{N}_./-]{0,200}(?::[\p{L}_][\p{L}\p{N}_-]{0,200})?)(?::\d{1,4})?(?:\[ARGS\])?[ \t]{0,8}(?:\r?\n)?[ \t]{0,8}(?=\{)/uy
/** The beginning of a call, or of a list of calls, whose name has been written. */
const CALL_BEGINNING =
  /^\s*\[?\s*(?:\{\s*["'](?:(?:name|tool|tool_name|toolName|function_name|action|recipient_name|function)["']\s*:\s*["']([^"']{1,200})|(?:function|function_call|tool_call|tool_calls|id|type|arguments|parameters|thought)["']\s*:)|([\p{L}_][\p{L}\p{N}_.:-]{0,200})\()/u

/** Reads a text that must hold blocks of calls and nothing else; undefined when it holds anything else. */
export function readBareBlocks(source: Source, isFull: boolean): BareBlocks | undefined {
  const { text } = source
  const calls: PrintedCall[] = []
  let isToolFence = true
  let at = skipSpace(text, 0)
  if (isFull) at += matchAt(LABEL, text, at)?.[0].length ?? 0
  if (isFull && CLOSERS.some((closer) => text.trimEnd().endsWith(closer))) return readUnopened(source)
  while (at < text.length) {
    const block = readBlock(source, at, isFull && calls.length === 0)
    if (block === 'none') return undefined
    if (block === 'cut') {
      const isCall = calls.length > 0 || isCallBeginning(source, at)
      return isCall ? { calls, isCut: true, isToolFence: false } : undefined
    }
    for (const call of block.value.calls) calls.push(call)
    isToolFence &&= block.value.isToolFence === true
    at = skipSpace(text, block.end)
    if (block.value.isCut) return { calls, isCut: true, isToolFence }
    const isBetween = (text[at] === ',' || text[at] === ';') && skipSpace(text, at + 1) < text.length
    if (isBetween) at = skipSpace(text, at + 1)
  }
  return calls.length === 0 ? undefined : { calls, isCut: false, isToolFence }
}

/** Reads a body whose opening marker stood in the prompt: the message begins with the call and ends with the end marker. */
function readUnopened(source: Source): BareBlocks | undefined {
  const body = readBody(source, 0, { closers: CLOSERS })
  if (typeof body === 'string' || skipClosers(source.text, body.end) < source.text.length) return undefined
  return { calls: body.calls, isCut: body.isCut === true, isToolFence: false }
}

/** Passes over white space and end markers. */
function skipClosers(text: string, from: number): number {
  for (let at = skipSpace(text, from); ; at = skipSpace(text, at)) {
    const closer = findAt(text, at, CLOSERS)
    if (closer === undefined) return at
    at += closer.length
  }
}

interface Block {
  readonly calls: readonly PrintedCall[]
  readonly isCut?: boolean
  readonly isToolFence?: boolean
}

function readBlock(source: Source, at: number, isFirst: boolean): Reading<Block> {
  const { text } = source
  const fence = openFence(text, at)
  if (fence !== undefined) return readFence(source, at)
  if (text.startsWith('```', at)) return readInlineFence(source, at)
  if (text[at] === '{') return readJson(text, at)
  if (text[at] === '[') {
    const list = readPythonList(text, at)
    if (typeof list !== 'string')
      return { value: { ...list.value, calls: list.value.calls.map(fromPython) }, end: list.end }
    const json = readJson(text, at)
    return json === 'none' ? list : json
  }
  const name = isFirst ? matchAt(NAME, text, at) : undefined
  if (name === undefined || source.tools.find(name[1] ?? '') === undefined) return 'none'
  return readArgumentsAfter(text, at + name[0].length, { name: name[1] ?? '', start: at })
}

function readJson(text: string, start: number): Reading<Block> {
  const read = readLiteral(text, start)
  if (typeof read === 'string') return read
  const calls = shapeCalls(read.value, 'bare')?.map((call) => ({ ...call, start, end: read.end }))
  return calls === undefined ? 'none' : { value: { calls }, end: read.end }
}

/** Reads a fence whose content is calls and nothing else; its last line may be missing. */
function readFence(source: Source, at: number): Reading<Block> {
  const { text, tools } = source
  const fence = openFence(text, at)
  if (fence === undefined) return 'none'
  const close = closeFence(text, fence.content, fence.marks)
  // Without a closing line the marks may stand right after the content.
  const end = close?.at ?? text.length - (text.endsWith(fence.marks) ? fence.marks.length : 0)
  const content = openSource(text.slice(fence.content, end), tools)
  const language = fence.info.split(/\s/)[0]?.toLowerCase() ?? ''
  const isToolFence = TOOL_FENCES.has(language)
  if (!isToolFence && !LANGUAGES.has(language)) return 'none'
  const inner = isToolFence && !/^\s*[{[<`]/.test(content.text) ? readStatements(content) : readContent(content)
  if (inner === 'none') return 'none'
  if (inner === 'cut')
    return isCallBeginning(content, 0) ? { value: { calls: [], isCut: true }, end: text.length } : 'none'
  return { value: { ...inner, isToolFence }, end: close?.end ?? text.length }
}

/** Reads ```` ```json {…}``` ```` on one line. */
function readInlineFence({ text, tools }: Source, at: number): Reading<Block> {
  const open = /`{3,8}[ \t]{0,4}(?:json|tool_call|tool_code)?[ \t]{0,4}(?=[{[])/y
  const mark = matchAt(open, text, at)?.[0]
  const close = mark === undefined ? -1 : text.indexOf('```', at + mark.length)
  if (mark === undefined || close === -1) return 'none'
  const inner = readContent(openSource(text.slice(at + mark.length, close), tools))
  return typeof inner === 'string' ? 'none' : { value: inner, end: close + 3 }
}

function readContent(source: Source): Block | 'cut' | 'none' {
  const { text } = source
  if (skipSpace(text, 0) < text.length && text.trimStart()[0] === '`') return 'none'
  const marked = readMarked(source)
  if (marked !== undefined) return marked
  const blocks = readBareBlocks(source, false)
  if (blocks === undefined) return 'none'
  return blocks.calls.length === 0 ? 'cut' : blocks
}

/** Reads a family's markup in a fence. */
function readMarked(source: Source): Block | 'cut' | 'none' | undefined {
  const { text } = source
  const calls: PrintedCall[] = []
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const opener = [...FAMILY_OF.keys()].find((one) => text.startsWith(one, at))
    const reading = opener === undefined ? 'none' : FAMILY_OF.get(opener)?.read(source, at, opener)
    if (reading === undefined || reading === 'none')
      return calls.length === 0 && opener === undefined ? undefined : 'none'
    if (reading === 'cut') return calls.length === 0 ? 'cut' : { calls, isCut: true }
    if (reading.end <= at) return 'none'
    for (const call of reading.calls) calls.push(call)
    at = reading.end
  }
  return calls.length === 0 ? undefined : { calls }
}

/** Reads calls in Python syntax, one a line, as Gemma prints them in `tool_code`. */
function readStatements({ text }: Source): Block | 'cut' | 'none' {
  const calls: PrintedCall[] = []
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const call = readPythonCall(text, at)
    if (typeof call === 'string') return call
    calls.push(fromPython(call.value))
    at = call.end
  }
  return calls.length === 0 ? 'none' : { calls }
}

/** True when what was cut off names an offered tool, or was about to. */
function isCallBeginning({ text, tools }: Source, at: number): boolean {
  const beginning = CALL_BEGINNING.exec(text.slice(at, at + 600))
  if (beginning === null) return false
  const name = beginning[1] ?? beginning[2]
  return name === undefined || tools.find(name) !== undefined || tools.mayBecome(name)
}
