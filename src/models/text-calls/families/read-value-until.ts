import { type Reading, skipSpace } from '../literals/reading.ts'
import type { Source } from './family.ts'

/** How a value without quotes begins, ends, and what can come after it. */
export interface ValueMarks {
  readonly open: string
  readonly close: string
  readonly follows: readonly string[]
}

/**
 * Reads a value that ends at its closing tag. The value may hold tags of its own as data: pairs are counted,
 * and a closing tag counts only where the next element or the end of the call follows.
 */
export function readValueUntil(source: Source, start: number, marks: ValueMarks): Reading<string> {
  const balanced = findEnd(source, start, { ...marks, isCounting: true })
  if (typeof balanced !== 'string') return balanced
  return findEnd(source, start, { ...marks, isCounting: false })
}

function findEnd(source: Source, start: number, marks: ValueMarks & { isCounting: boolean }): Reading<string> {
  const { text, search } = source
  const { open, close, follows, isCounting } = marks
  let depth = 0
  let nextOpen = isCounting ? text.indexOf(open, start) : -1
  for (let end = text.indexOf(close, start); end !== -1; end = text.indexOf(close, end + close.length)) {
    for (; nextOpen !== -1 && nextOpen < end; nextOpen = text.indexOf(open, nextOpen + open.length)) depth++
    if (depth > 0) depth--
    else if (isFollowed(text, end + close.length, follows)) {
      search.left -= end - start
      return search.left < 0 ? 'none' : { value: text.slice(start, end), end: end + close.length }
    }
  }
  search.left -= text.length - start
  return search.left < 0 ? 'none' : 'cut'
}

function isFollowed(text: string, at: number, follows: readonly string[]): boolean {
  const next = skipSpace(text, at)
  return follows.some((one) => text.startsWith(one, next) || one.startsWith(text.slice(next, next + one.length)))
}
