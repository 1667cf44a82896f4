import { widthOf } from '../../core/terminal/text-width.ts'
import { isJoiner, printable } from '../../core/text/printable.ts'
import type { TextBuffer } from './text-buffer.ts'

/** Rows of a text that is being edited, not painted yet, and the cursor among them. */
export interface TextRows {
  readonly rows: readonly string[]
  readonly x: number
  readonly y: number
}

/** Breaks a text into rows of a width, character by character, and finds the cursor. Invisible characters are shown as they are everywhere. */
export function textRows({ text, cursor }: TextBuffer, columns: number): TextRows {
  const space = Math.max(4, columns)
  const rows: string[] = ['']
  let width = 0
  let at = { x: 0, y: 0 }
  let index = 0
  for (const character of text) {
    if (index === cursor) at = { x: width, y: rows.length - 1 }
    index += character.length
    if (character === '\n') {
      rows.push('')
      width = 0
      continue
    }
    const isJoining = isJoiner(text, index - character.length)
    const shown = character === '\t' ? '  ' : isJoining ? character : printable(character)
    const cells = text[index - character.length - 1] === '\u200d' ? 0 : widthOf(shown)
    if (width + cells > space) {
      rows.push('')
      width = 0
      if (index - character.length === cursor) at = { x: 0, y: rows.length - 1 }
    }
    rows[rows.length - 1] += shown
    width += cells
  }
  if (cursor >= text.length) at = { x: width, y: rows.length - 1 }
  return { rows, ...at }
}

/** Keeps at most so many rows, around the cursor. */
export function windowOf({ rows, x, y }: TextRows, limit: number): TextRows {
  if (rows.length <= limit) return { rows, x, y }
  const first = Math.min(Math.max(0, y - limit + 1), rows.length - limit)
  return { rows: rows.slice(first, first + limit), x, y: y - first }
}
