import { stripVTControlCharacters } from 'node:util'

const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const MARK = /\p{M}/u

/** How many columns of a terminal a printable text takes: East Asian characters and emoji two, marks on others and our own colours none. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of stripVTControlCharacters(text)) width += cellsOf(character)
  return width
}

function cellsOf(character: string): number {
  if (character.charCodeAt(0) < 0x300) return 1
  if (MARK.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

/** A printable text that takes at most so many columns, with … where its end is missing. */
export function cutToWidth(text: string, room: number): string {
  let width = 0
  let kept = ''
  for (const character of text) {
    width += cellsOf(character)
    if (width > room) return `${dropLast(kept, room)}…`
    kept += character
  }
  return text
}

/** What is left of a text that filled the room once … stands at its end. */
function dropLast(text: string, room: number): string {
  const characters = Array.from(text)
  while (widthOf(characters.join('')) > room - 1) characters.pop()
  return characters.join('')
}

/** A text in rows of at most so many columns, broken between words. A word longer than a row stays whole: the terminal breaks it, and it can still be copied. */
export function wrapWords(text: string, room: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, room))
}

/** A head, and beside it a text whose rows all start where the head ends. */
export function hangText(head: string, text: string, columns: number): string[] {
  const indent = widthOf(head)
  return wrapWords(text, columns - indent).map((row, index) => `${index === 0 ? head : ' '.repeat(indent)}${row}`)
}

function wrapLine(line: string, room: number): string[] {
  const rows: string[] = []
  let row = ''
  let used = 0
  for (const piece of line.split(/(?<=\S)(?= )/)) {
    const width = widthOf(piece)
    const isNext = row !== '' && used + width > room && width <= room
    if (isNext) rows.push(row)
    row = isNext ? piece.trimStart() : row + piece
    used = isNext ? widthOf(row) : used + width
  }
  return [...rows, row]
}
