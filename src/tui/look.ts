import type { Paint } from '../core/terminal/style.ts'
import { widthOf } from '../core/terminal/text-width.ts'

/** The terminal that rows are drawn for. */
export interface Look {
  /** Adds colours where the terminal has them, and escapes control characters. */
  readonly paint: Paint
  readonly columns: number
  readonly rows: number
}

/** What a part of the screen shows: painted rows, and where the cursor is if the part takes text. */
export interface Drawn {
  readonly rows: readonly string[]
  readonly cursor?: { readonly x: number; readonly y: number } | undefined
}

/** Below this width a frame would take too much room, and facts go below the name. */
export const WIDE_ENOUGH = 60

/** Puts a text at the left and one at the right of a row; drops the right one where both do not fit. Both are painted already. */
export function spread(left: string, right: string, columns: number): string {
  const gap = columns - widthOf(left) - widthOf(right)
  return gap < 1 || right === '' ? left : `${left}${' '.repeat(gap)}${right}`
}

/** What Haft's own signs become in a terminal without UTF-8. */
const ASCII: Readonly<Record<string, string>> = {
  ...{ '✓': '+', '✗': 'x', '⊘': '-', '⚙': '*', '…': '.', '·': '-', '›': '>', '↳': '>', '—': '-', '•': '*' },
  ...{ '╭': '+', '╮': '+', '╰': '+', '╯': '+', '─': '-', '│': '|', '▌': '|', '↑': '^', '↓': 'v' },
}

/** Replaces every character that a terminal without UTF-8 cannot show; one column stays one column. */
export function toAscii(row: string): string {
  return row.replace(/[\u0080-\u{10ffff}]/gu, (character) => ASCII[character] ?? '?'.repeat(widthOf(character)))
}

/** Shows a number of tokens in few characters: `812`, `18.2k`, `1.2M`. */
export function shortNumber(number: number): string {
  if (number < 1_000) return String(number)
  return number < 1_000_000 ? `${(number / 1_000).toFixed(1)}k` : `${(number / 1_000_000).toFixed(1)}M`
}
