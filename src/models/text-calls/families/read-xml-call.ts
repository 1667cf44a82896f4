import type { PrintedCall } from '../calls/printed-call.ts'
import { readArguments } from '../calls/shape-calls.ts'
import { readLiteral } from '../literals/read-literal.ts'
import { matchAt, type Reading, skipSpace } from '../literals/reading.ts'
import type { Source } from './family.ts'
import { LEGACY_OPEN, readLegacyInvoke } from './legacy-invoke.ts'
import { readValueUntil } from './read-value-until.ts'

const NAME = `("[^"<>]{1,300}"|'[^'<>]{1,300}'|[^\\s>"'<]{1,300})`
/** A namespace in front of a tag: `antml:`, `steptml:`, `｜DSML｜`. */
const PREFIX = '((?:[\\w-]{1,30}:|[｜|]\\w{1,30}[｜|])?)'
const OPEN = new RegExp(`<${PREFIX}(function|invoke|tool)(?:=|\\s{1,20}name\\s?=\\s?)${NAME}\\s{0,20}>`, 'uy')
const PARAMETER = new RegExp(
  `<${PREFIX}(parameter|param|arg)(?:=|\\s{1,20}name\\s?=\\s?)${NAME}(?:\\s{1,20}string="(true|false)")?[^<>]{0,200}>`,
  'uy',
)

/** True where `<function=…>` or `<invoke name="…">` stands. */
export function opensXmlCall(text: string, at: number): boolean {
  return text.startsWith(LEGACY_OPEN, at) || matchAt(OPEN, text, at) !== undefined
}

/** Reads a call whose arguments are XML elements: `<function=x><parameter=y>…`, `<invoke name="x"><parameter name="y">…`; also one with JSON inside. */
export function readXmlCall(source: Source, start: number): Reading<PrintedCall> {
  const { text } = source
  const open = matchAt(OPEN, text, start)
  if (open === undefined && text.startsWith(LEGACY_OPEN, start)) return readLegacyInvoke(source, start)
  if (open === undefined) return isCutTag(text, start) ? 'cut' : 'none'
  const [tag, prefix = '', element = '', quoted = ''] = open
  const close = `</${prefix}${element}>`
  const name = unquote(quoted)
  const at = skipSpace(text, start + tag.length)
  if (text[at] === '{') return readJsonInside(text, at, { name, close, start })
  return readParameters(source, at, {
    name,
    close,
    start,
    prefix,
    isRaw: element === 'function',
  })
}

interface Opened {
  readonly name: string
  readonly close: string
  readonly start: number
}

function readJsonInside(text: string, at: number, { name, close, start }: Opened): Reading<PrintedCall> {
  const read = readLiteral(text, at)
  if (typeof read === 'string') return read
  const given = readArguments(read.value)
  if (given === undefined) return 'none'
  const after = skipSpace(text, read.end)
  const end = text.startsWith(close, after) ? after + close.length : read.end
  return { value: { name, arguments: given, start, end }, end }
}

interface OpenedElement extends Opened {
  readonly prefix: string
  /** Values are never escaped. */
  readonly isRaw: boolean
}

function readParameters(source: Source, first: number, opened: OpenedElement): Reading<PrintedCall> {
  const { text } = source
  const { name, close, start, prefix } = opened
  const values = new Map<string, unknown>()
  const strings = new Set<string>()
  for (let at = first; ; at = skipSpace(text, at)) {
    if (text.startsWith(close, at)) {
      const end = at + close.length
      return { value: { name, arguments: Object.fromEntries(values), isUntyped: true, strings, start, end }, end }
    }
    const open = matchAt(PARAMETER, text, at)
    if (open === undefined) return isCutTag(text, at) ? 'cut' : 'none'
    const [tag, ownPrefix = '', element = '', quoted = '', isString] = open
    const key = unquote(quoted)
    if (values.has(key)) return 'none'
    const marks = { open: `<${ownPrefix}${element}`, close: `</${ownPrefix}${element}>` }
    const follows = [`<${prefix}${element}`, close]
    const value = readValueUntil(source, at + tag.length, { ...marks, follows })
    if (typeof value === 'string') return value
    values.set(key, decode(trimLayout(value.value, marks.open, tag), opened))
    if (isString === 'true') strings.add(key)
    at = value.end
  }
}

/** True where the message ends, or ends inside a tag. */
function isCutTag(text: string, at: number): boolean {
  if (at >= text.length) return true
  return text[at] === '<' && text.length - at < 700 && text.indexOf('>', at) === -1
}

function unquote(name: string): string {
  return /^["']/.test(name) ? name.slice(1, -1) : name
}

/** Removes the line breaks of the layout: `<parameter=x>` sets them on either side, other dialects only as a pair. */
function trimLayout(value: string, open: string, tag: string): string {
  const isEqualsForm = tag.startsWith(`${open}=`)
  const [leads, trails] = [/^\r?\n/.test(value), /\n$/.test(value)]
  if (!isEqualsForm && !(leads && trails && value.length > 1)) return value
  return value.replace(/^\r?\n/, '').replace(/\r?\n$/, '')
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Takes a value out of a CDATA section, and decodes XML entities where a dialect escapes: `<invoke>` without a namespace, in a value that holds no bare `<`. */
function decode(value: string, { isRaw, prefix }: OpenedElement): string {
  const data = isRaw ? undefined : /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(value)?.[1]
  if (data !== undefined) return data
  if (isRaw || prefix !== '' || value.includes('<')) return value
  return value.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '')
}
