import { printable } from '../text/printable.ts'
import { widthOf } from './text-width.ts'

/** Every row of a model's text starts so: it cannot imitate a prompt of Haft. */
const INDENT = '  '

/** Wraps text that arrives in pieces between words, for a terminal. The last word of a piece is held until it is known where it ends. */
export class FlowText {
  readonly #space: number
  #waiting = ''
  /** What is on the present row, in columns, without the indent. */
  #used = 0
  #spaces = 0
  #isLineStart = true

  /** `columns` is the width of the terminal, infinite where there is none. */
  constructor(columns: number) {
    this.#space = Math.max(10, columns - INDENT.length - 1)
  }

  /** Takes in a piece; returns what is to be written now. */
  push(piece: string): string {
    this.#waiting += piece
    const end = /[^\s]*$/.exec(this.#waiting)?.index ?? 0
    const ready = this.#waiting.slice(0, end)
    this.#waiting = this.#waiting.slice(end)
    return this.#write(ready)
  }

  /** Returns what was held, and ends the row. */
  end(): string {
    const rest = this.#write(this.#waiting)
    this.#waiting = ''
    const end = this.#used > 0 ? '\n' : ''
    this.#used = 0
    this.#spaces = 0
    this.#isLineStart = true
    return `${rest}${end}`
  }

  #write(text: string): string {
    let written = ''
    const tokens = printable(text.replaceAll('\r\n', '\n').replaceAll('\t', '    ')).match(/\n| +|[^\s]+/g) ?? []
    for (const token of tokens) {
      if (token === '\n') written += this.#endLine()
      else if (token.startsWith(' ')) this.#spaces += token.length
      else written += this.#writeWord(token)
    }
    return written
  }

  #endLine(): string {
    this.#used = 0
    this.#spaces = 0
    this.#isLineStart = true
    return '\n'
  }

  #writeWord(word: string): string {
    const width = widthOf(word)
    const isWrapped = this.#used > 0 && this.#used + this.#spaces + width > this.#space
    // Spaces at the start of a line are kept, since they mean something in code; those at a wrap are not.
    const spaces = isWrapped || (this.#used === 0 && !this.#isLineStart) ? 0 : Math.min(this.#spaces, this.#space - 1)
    let written = isWrapped ? '\n' : ''
    if (isWrapped) this.#used = 0
    if (this.#used === 0) written += INDENT
    written += ' '.repeat(spaces)
    this.#used += spaces
    this.#spaces = 0
    this.#isLineStart = false
    return written + this.#breakWord(word, width)
  }

  /** A word longer than a row is broken here, so that each of its rows is indented too. */
  #breakWord(word: string, width: number): string {
    if (this.#used + width <= this.#space) {
      this.#used += width
      return word
    }
    let written = ''
    for (const character of word) {
      const cells = widthOf(character)
      if (this.#used + cells > this.#space) {
        written += `\n${INDENT}`
        this.#used = 0
      }
      written += character
      this.#used += cells
    }
    return written
  }
}

/** Wraps a full text the same way; returns its rows. */
export function flowLines(text: string, columns: number): string[] {
  const flow = new FlowText(columns)
  return `${flow.push(text.trim())}${flow.end()}`.trimEnd().split('\n')
}
