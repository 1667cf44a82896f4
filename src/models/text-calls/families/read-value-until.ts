import { isSpace, type Reading, skipSpace } from '../literals/reading.ts'
import type { Source } from './family.ts'

/** How a value without quotes begins, ends, and what can come after it. */
export interface ValueMarks {
  readonly open: string
  readonly close: string
  readonly follows: readonly string[]
}

/**
 * Reads a value that ends at its closing tag. The value may hold tags of its own as data: a nested element, which opens right
 * after another tag, must be closed first, and a closing tag counts only where the next element or the end of the call follows.
 */
export function readValueUntil({ text, search }: Source, start: number, marks: ValueMarks): Reading<string> {
  const { open, close, follows } = marks
  let depth = 0
  let nested = text.indexOf(open, start)
  for (let end = text.indexOf(close, start); end !== -1; end = text.indexOf(close, end + close.length)) {
    for (; nested !== -1 && nested < end; nested = text.indexOf(open, nested + open.length))
      if (isAfterTag(text, nested, start)) depth++
    if (depth > 0) depth--
    else if (isFollowed(text, end + close.length, follows)) {
      search.left -= end - start
      return search.left < 0 ? 'none' : { value: text.slice(start, end), end: end + close.length }
    }
  }
  search.left -= text.length - start
  return search.left < 0 ? 'none' : 'cut'
}

/** True where only white space parts a place from a tag before it. */
function isAfterTag(text: string, at: number, from: number): boolean {
  let before = at
  while (before > from && isSpace(text.charCodeAt(before - 1))) before--
  return before > from && text[before - 1] === '>'
}

function isFollowed(text: string, at: number, follows: readonly string[]): boolean {
  const next = skipSpace(text, at)
  return follows.some((one) => text.startsWith(one, next) || one.startsWith(text.slice(next, next + one.length)))
}
