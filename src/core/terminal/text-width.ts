const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const MARK = /\p{M}/u
const JOINER = /[\u200c\u200d]/
/** The codes that `paint` adds. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes start with one
const COLOURS = /\u001b\[[\d;]*m/g

/** Returns how many terminal columns a printable text takes: two for East Asian characters and emoji, also joined ones, none for combining marks and colour codes. */
export function widthOf(text: string): number {
  let width = 0
  let isJoined = false
  for (const character of text.replace(COLOURS, '')) {
    if (!isJoined) width += cellsOf(character)
    isJoined = character === '\u200d'
  }
  return width
}

function cellsOf(character: string): number {
  if (character.charCodeAt(0) < 0x300) return 1
  if (JOINER.test(character) || MARK.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

/** Cuts a printable text to a number of columns; ends it with … if something is missing. */
export function cutToWidth(text: string, columns: number): string {
  let width = 0
  let kept = ''
  for (const character of text) {
    width += cellsOf(character)
    if (width > columns) return `${dropLast(kept, columns)}…`
    kept += character
  }
  return text
}

/** Drops characters until … fits at the end. */
function dropLast(text: string, columns: number): string {
  const characters = Array.from(text)
  while (widthOf(characters.join('')) > columns - 1) characters.pop()
  return characters.join('')
}

/** Wraps a text between words; rows keep the indent of their line if they fit. A word longer than a row is not broken, so that it can be copied; the terminal breaks it. */
export function wrapWords(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, columns))
}

/** Wraps a text beside a head: all rows start where the head ends. */
export function hangText(head: string, text: string, columns: number): string[] {
  const indent = widthOf(head)
  return wrapWords(text, columns - indent).map((row, index) => `${index === 0 ? head : ' '.repeat(indent)}${row}`)
}

function wrapLine(line: string, columns: number): string[] {
  const [indent = ''] = /^ */.exec(line) ?? []
  const rows: string[] = []
  let row = ''
  let used = 0
  for (const piece of line.split(/(?<=\S)(?= )/)) {
    const width = widthOf(piece)
    const isNext = row !== '' && used + width > columns && width <= columns
    if (isNext) rows.push(row)
    row = isNext ? `${indent.length + width <= columns ? indent : ''}${piece.trimStart()}` : row + piece
    used = isNext ? widthOf(row) : used + width
  }
  return [...rows, row]
}
