import type { PrintedCall } from '../calls/printed-call.ts'
import { readArguments, type ShapedCall, shapeCalls } from '../calls/shape-calls.ts'
import { JSON_STYLE, type LiteralStyle, readLiteral } from '../literals/read-literal.ts'
import { type PythonCall, readPythonCall, readPythonList } from '../literals/read-python-calls.ts'
import { findAt, isCutMarker, matchAt, type Reading, skipComments, skipSpace } from '../literals/reading.ts'
import type { Markup, MarkupReading, Source } from './family.ts'
import { KEY_OPENERS, readArgumentPairs } from './glm.ts'
import { opensXmlCall, readXmlCall } from './read-xml-call.ts'

/** What stands between the markers of a family. */
export interface Body {
  /** Markers that end the body. */
  readonly closers: readonly string[]
  /** Markers that may stand inside it, around or between calls, and mean nothing. */
  readonly wrappers?: readonly string[]
  /** A name alone, then the end marker, is a call without arguments. */
  readonly mayBeNameOnly?: boolean
  /** Turns a JSON value into calls, where a family has its own shape. */
  shape?(value: unknown): readonly ShapedCall[] | undefined
}

interface Item {
  readonly calls: readonly PrintedCall[]
  readonly isCut?: boolean
  readonly isRepaired?: boolean
}

const NAME = /[\p{L}_][\p{L}\p{N}_.:/-]{0,200}/uy
const FENCE = /`{3,8}[ \t]{0,8}[\w-]{0,20}[ \t]{0,8}\r?\n?/y
const FENCE_END = /\s{0,20}`{3,8}/y
const BETWEEN = new Set([',', ';'])
/** Marks between a name and its arguments: Mistral's `[ARGS]` and `[CALL_ID]…`, Hunyuan's `<tool_sep>`. */
const ARGUMENT_MARK = /(?:\[CALL_ID\][\w-]{0,100})?\[ARGS\]|<tool_sep>/y
/** How many markers in a row may stand around a call. */
const MAX_WRAPPERS = 4
const UNCLOSED = 'Closed an object whose last brace was missing before the end marker.'
const STRAY = 'Dropped closing brackets that were too many.'

/** Reads the calls of a body, in whatever form they stand: JSON, lists, Python, XML, a name and its arguments. */
export function readBody(source: Source, start: number, body: Body): MarkupReading {
  const { text } = source
  const calls: PrintedCall[] = []
  const repairs: string[] = []
  const finish = (end: number, isCut = false): Markup => ({ calls, end, isCut, repairs })
  let last = start
  let wrappers = 0
  for (let at = skipSpace(text, start); ; at = skipSpace(text, at)) {
    const hasCalls = calls.length > 0
    if (hasCalls && BETWEEN.has(text[at] ?? '')) at = skipSpace(text, at + 1)
    if (hasCalls) at = skipComments(text, at, body.closers)
    if (at >= text.length) return hasCalls ? finish(text.length) : 'cut'
    const closer = findAt(text, at, body.closers)
    if (closer !== undefined) return hasCalls ? finish(at + closer.length) : 'none'
    if (body.closers.some((one) => isCutMarker(text, at, one))) return hasCalls ? finish(text.length) : 'cut'
    const wrapper = findAt(text, at, body.wrappers ?? [])
    if (wrapper !== undefined && wrappers < MAX_WRAPPERS) {
      wrappers++
      at += wrapper.length
      continue
    }
    const stray = hasCalls ? findStray(text, at, body.closers) : undefined
    if (stray !== undefined) {
      repairs.push(STRAY)
      at = stray
      continue
    }
    const item = readItem(source, at, body)
    if (item === 'none') return hasCalls ? finish(last) : 'none'
    if (item === 'cut') return hasCalls ? finish(text.length, true) : 'cut'
    for (const call of item.value.calls) calls.push(call)
    if (item.value.isRepaired) repairs.push(UNCLOSED)
    if (item.value.isCut) return finish(text.length, true)
    last = item.end
    at = item.end
    wrappers = 0
  }
}

/** Returns where a run of closing brackets ends that only the end marker or the end of the message follows. */
function findStray(text: string, at: number, closers: readonly string[]): number | undefined {
  let end = at
  while ((text[end] === '}' || text[end] === ']') && end - at < 10) end = skipSpace(text, end + 1)
  if (end === at) return undefined
  return end >= text.length || findAt(text, end, closers) !== undefined ? end : undefined
}

function readItem(source: Source, at: number, body: Body): Reading<Item> {
  const { text } = source
  const character = text[at]
  if (character === '{') return readJsonItem(text, at, { body, mayLackBrace: true })
  if (character === '[') return readListItem(text, at, body)
  if (character === '`') return readFenced(source, at, body)
  if (character === '<' && (opensXmlCall(text, at) || /^<[\w:｜|-]{0,40}$/u.test(text.slice(at, at + 42)))) {
    const call = readXmlCall(source, at)
    return typeof call === 'string' ? call : { value: { calls: [call.value] }, end: call.end }
  }
  return readNamed(source, at, body)
}

interface JsonFrame {
  readonly body: Body
  /** The last brace may be missing where an end marker follows. */
  readonly mayLackBrace: boolean
}

function readJsonItem(text: string, at: number, { body, mayLackBrace }: JsonFrame): Reading<Item> {
  const style: LiteralStyle = { ...JSON_STYLE, endMarkers: body.closers, mayLackBrace }
  const read = readLiteral(text, at, style)
  if (typeof read === 'string') return read
  const calls = (body.shape ?? shapeMarked)(read.value)?.map((call) => ({ ...call, start: at, end: read.end }))
  return calls === undefined ? 'none' : { value: { calls, isRepaired: text[read.end - 1] !== '}' }, end: read.end }
}

function shapeMarked(value: unknown): readonly ShapedCall[] | undefined {
  return shapeCalls(value, 'marked')
}

/** Reads a list of JSON objects or of Python calls; finished calls of a list that is cut off count. */
function readListItem(text: string, at: number, body: Body): Reading<Item> {
  const python = readPythonList(text, at)
  if (typeof python !== 'string') {
    const { calls, isCut } = python.value
    return { value: { calls: calls.map(fromPython), isCut }, end: python.end }
  }
  const calls: PrintedCall[] = []
  for (let next = skipSpace(text, at + 1); ; next = skipSpace(text, next)) {
    if (text[next] === ']') return calls.length === 0 ? 'none' : { value: { calls }, end: next + 1 }
    const item =
      next < text.length && text[next] !== '{' ? 'none' : readJsonItem(text, next, { body, mayLackBrace: false })
    if (item === 'cut' || next >= text.length)
      return calls.length === 0 ? (python === 'cut' || item === 'cut' ? 'cut' : 'none') : cutAfter(calls, text)
    if (item === 'none') return python === 'cut' ? 'cut' : 'none'
    for (const call of item.value.calls) calls.push(call)
    next = skipSpace(text, item.end)
    if (next >= text.length) return cutAfter(calls, text)
    if (text[next] === ',') next++
    else if (text[next] !== ']')
      return findAt(text, next, body.closers) === undefined ? 'none' : { value: { calls }, end: next }
  }
}

function cutAfter(calls: readonly PrintedCall[], text: string): Reading<Item> {
  return { value: { calls, isCut: true }, end: text.length }
}

/** Turns a call in Python syntax into a printed call; `name.call(…)` is how Llama names its built-in tools. */
export function fromPython({ name, named, positional, start, end }: PythonCall): PrintedCall {
  return { name: name.replace(/\.call$/, ''), arguments: named, positional, start, end }
}

function readFenced(source: Source, at: number, body: Body): Reading<Item> {
  const { text } = source
  const fence = matchAt(FENCE, text, at)?.[0]
  if (fence === undefined) return text.length - at < 3 ? 'cut' : 'none'
  const start = skipSpace(text, at + fence.length)
  if (text[start] === '`') return 'none'
  const item = start >= text.length ? 'cut' : readItem(source, start, body)
  if (typeof item === 'string') return item
  const end = item.end + (matchAt(FENCE_END, text, item.end)?.[0].length ?? 0)
  return { value: item.value, end }
}

/** Reads a name and what follows it: `name(…)`, `name{…}`, `name[ARGS]{…}`, a fenced object, pairs of keys and values, or nothing. */
function readNamed(source: Source, start: number, body: Body): Reading<Item> {
  const { text, tools } = source
  const name = matchAt(NAME, text, start)?.[0]
  if (name === undefined) return 'none'
  const nameEnd = start + name.length
  if (text[nameEnd] === '(') {
    const call = readPythonCall(text, start)
    return typeof call === 'string' ? call : { value: { calls: [fromPython(call.value)] }, end: call.end }
  }
  const mark = matchAt(ARGUMENT_MARK, text, nameEnd)?.[0] ?? ''
  const at = skipSpace(text, nameEnd + mark.length)
  if (at >= text.length || isCutMarker(text, at, '[ARGS]')) return tools.mayBecome(name) ? 'cut' : 'none'
  if (text[at] === '{' || text.startsWith('```', at)) return readArgumentsAfter(text, at, { name, start })
  if (KEY_OPENERS.some((opener) => isCutMarker(text, at, opener))) return 'cut'
  const isPair = findAt(text, at, KEY_OPENERS) !== undefined
  if (!isPair && !(body.mayBeNameOnly && findAt(text, at, body.closers) !== undefined)) return 'none'
  const call = readArgumentPairs(source, at, { name, start, closers: body.closers })
  return typeof call === 'string' ? call : { value: { calls: [call.value] }, end: call.end }
}

/** Reads the JSON arguments of a name that was read before, fenced or not. */
export function readArgumentsAfter(
  text: string,
  at: number,
  { name, start }: { readonly name: string; readonly start: number },
): Reading<Item> {
  const fence = matchAt(FENCE, text, at)?.[0] ?? ''
  const open = skipSpace(text, at + fence.length)
  const read = readLiteral(text, open)
  if (typeof read === 'string') return read
  const given = readArguments(read.value)
  if (given === undefined) return 'none'
  const close = fence === '' ? '' : (matchAt(FENCE_END, text, read.end)?.[0] ?? '')
  const end = read.end + close.length
  return { value: { calls: [{ name, arguments: given, start, end }] }, end }
}
