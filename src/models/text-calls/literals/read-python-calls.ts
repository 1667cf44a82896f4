import { PYTHON_STYLE, readLiteral } from './read-literal.ts'
import { matchAt, type Reading, skipSpace } from './reading.ts'

const NAME = /[\p{L}_][\p{L}\p{N}_]*(?:(?:\.|::?|-)[\p{L}_][\p{L}\p{N}_]*)*/uy
const KEYWORD = /([\p{L}_][\p{L}\p{N}_]*)[ \t\r\n]*=(?!=)/uy
/** Wrappers that print a result and change nothing about the call inside. */
const WRAPPER = /print[ \t]*\([ \t\r\n]*(?=[\p{L}_][\p{L}\p{N}_.]*[ \t]*\()/uy

/** A call in Python syntax whose arguments are all literals. */
export interface PythonCall {
  readonly name: string
  readonly named: Readonly<Record<string, unknown>>
  readonly positional: readonly unknown[]
  readonly start: number
  readonly end: number
}

/** The calls that could be read before the text ended, and whether a further one was cut off. */
export interface PythonCalls {
  readonly calls: readonly PythonCall[]
  readonly isCut: boolean
}

/** Reads `[a(x=1), b(y=2)]`; a list that is cut off keeps its finished calls. */
export function readPythonList(text: string, at: number): Reading<PythonCalls> {
  const calls: PythonCall[] = []
  for (let next = skipSpace(text, at + 1); ; next = skipSpace(text, next)) {
    if (text[next] === ']') return calls.length === 0 ? 'none' : { value: { calls, isCut: false }, end: next + 1 }
    const call = next >= text.length ? 'cut' : readPythonCall(text, next)
    if (call === 'none') return 'none'
    if (call === 'cut') return calls.length === 0 ? 'cut' : { value: { calls, isCut: true }, end: text.length }
    calls.push(call.value)
    next = skipSpace(text, call.end)
    if (next >= text.length) return { value: { calls, isCut: true }, end: text.length }
    if (text[next] === ',') next++
    else if (text[next] !== ']') return 'none'
  }
}

/** Reads one call, also inside `print(…)`. */
export function readPythonCall(text: string, at: number): Reading<PythonCall> {
  const wrapper = matchAt(WRAPPER, text, at)?.[0]
  if (wrapper === undefined) return readPlainCall(text, at)
  const inner = readPlainCall(text, at + wrapper.length)
  if (typeof inner === 'string') return inner
  const end = skipSpace(text, inner.end)
  if (end >= text.length) return 'cut'
  return text[end] === ')' ? { value: { ...inner.value, start: at, end: end + 1 }, end: end + 1 } : 'none'
}

function readPlainCall(text: string, start: number): Reading<PythonCall> {
  const name = matchAt(NAME, text, start)?.[0]
  if (name === undefined) return 'none'
  const open = start + name.length
  if (open >= text.length) return 'cut'
  if (text[open] !== '(') return 'none'
  const named = new Map<string, unknown>()
  const positional: unknown[] = []
  for (let at = skipSpace(text, open + 1); ; at = skipSpace(text, at)) {
    if (text[at] === ')') {
      const value = { name, named: Object.fromEntries(named), positional, start, end: at + 1 }
      return { value, end: at + 1 }
    }
    const keyword = matchAt(KEYWORD, text, at)
    const value = readLiteral(text, skipSpace(text, at + (keyword?.[0].length ?? 0)), PYTHON_STYLE)
    if (typeof value === 'string') return value
    if (keyword === undefined) positional.push(value.value)
    else if (named.has(keyword[1] ?? '')) return 'none'
    else named.set(keyword[1] ?? '', value.value)
    at = skipSpace(text, value.end)
    if (at >= text.length) return 'cut'
    if (text[at] === ',') at++
    else if (text[at] !== ')') return 'none'
  }
}
