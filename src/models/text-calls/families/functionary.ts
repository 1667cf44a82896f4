import { findAt, matchAt, skipSpace } from '../literals/reading.ts'
import type { Family, MarkupReading, Source } from './family.ts'
import { readArgumentsAfter } from './read-body.ts'

const RECIPIENT = />>>([\p{L}_][\p{L}\p{N}_.:/-]{0,200})(?:\r?\n|$)/uy
const HEADER =
  /(?:<\|from\|>[ \t]{0,4}assistant[ \t\r\n]{0,8})?<\|recipient\|>[ \t]{0,4}([\p{L}_][\p{L}\p{N}_.:/-]{0,200})[ \t\r\n]{0,8}(?:<\|content\|>|$)/uy
const ENDS = /<\|(?:stop|from|recipient)\|>|\n>>>/g

/** Functionary v3: `>>>name`, a line break and JSON. The recipient `all` is the person. */
export const FUNCTIONARY: Family = {
  name: 'Functionary',
  openers: ['>>>'],
  startsLine: true,
  read: (source, at) => readAfter(source, at, RECIPIENT),
}

/** Functionary v2: `<|recipient|>name<|content|>{…}`. */
export const FUNCTIONARY_V2: Family = {
  name: 'Functionary v2',
  openers: ['<|from|>', '<|recipient|>'],
  read: (source, at) => readAfter(source, at, HEADER),
}

function readAfter(source: Source, at: number, pattern: RegExp): MarkupReading {
  const header = matchAt(pattern, source.text, at)
  if (header === undefined) return 'none'
  return readContent(source, at + header[0].length, { name: header[1] ?? '', start: at })
}

function readContent(
  { text, tools }: Source,
  at: number,
  call: { readonly name: string; readonly start: number },
): MarkupReading {
  if (call.name === 'all') {
    ENDS.lastIndex = at
    const end = ENDS.exec(text)?.index ?? text.length
    return { calls: [], text: text.slice(at, end), end: skipEnd(text, end) }
  }
  const open = skipSpace(text, at)
  if (open >= text.length) return tools.find(call.name) === undefined ? 'none' : 'cut'
  const read = text[open] === '{' ? readArgumentsAfter(text, open, call) : 'none'
  if (typeof read === 'string') return read
  return { calls: read.value.calls, end: skipEnd(text, read.end) }
}

function skipEnd(text: string, at: number): number {
  const stop = findAt(text, at, ['<|stop|>'])
  return at + (stop?.length ?? 0)
}
