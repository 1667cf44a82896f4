import { FAMILIES } from '../families/families.ts'
import { isCutMarker } from '../literals/reading.ts'
import { BEGIN_TOKENS, END_TOKENS, HEADER_TOKENS } from './control-tokens.ts'
import { REASONING } from './reasoning.ts'

/** A mark, or a run of backticks or tildes, and where it stands. */
export interface Mark {
  readonly at: number
  readonly token: string
}

const MARKS: readonly string[] = [
  ...new Set([
    ...FAMILIES.flatMap(({ openers }) => openers),
    ...REASONING.flatMap(({ open, close }) => [open, close]),
    ...END_TOKENS,
    ...BEGIN_TOKENS,
    ...HEADER_TOKENS,
  ]),
]

/** Everything that needs a look. Longer marks come first, since one may be the beginning of another. */
const MARK = new RegExp(
  [
    ...MARKS.toSorted((a, b) => b.length - a.length).map((mark) => mark.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')),
    '`+',
    '~{3,}',
  ].join('|'),
  'g',
)
const HELD: readonly string[] = [...MARKS, '~~~']
const LONGEST = Math.max(...HELD.map(({ length }) => length))
const FIRST_CHARACTERS = new Set(HELD.map((mark) => mark[0]))

/** Returns the first mark at or after a place. */
export function nextMark(text: string, from: number): Mark | undefined {
  MARK.lastIndex = from
  const found = MARK.exec(text)
  return found === null ? undefined : { at: found.index, token: found[0] }
}

/** True for backticks and tildes, which only mark code. */
export function isCodeMark({ token }: Mark): boolean {
  return token.startsWith('`') || token.startsWith('~')
}

/** Returns where the text ends that no further piece can turn into a mark. */
export function settledEnd(text: string, from: number): number {
  for (let at = Math.max(from, text.length - LONGEST); at < text.length; at++)
    if (FIRST_CHARACTERS.has(text[at]) && HELD.some((mark) => isCutMarker(text, at, mark))) return at
  return text.length
}
