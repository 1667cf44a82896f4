import type { Key } from 'ink'
import type { Drawn, Look } from '../look.ts'
import { editText, typedText } from '../prompt/edit-keys.ts'
import { bufferOf, insert, type TextBuffer } from '../prompt/text-buffer.ts'
import { textRows, windowOf } from '../prompt/text-rows.ts'

/** The most rows of a field; a longer text scrolls. */
const ROWS = 8

/** A text that a person types in answer to something, behind a label. */
export class TextField {
  readonly #label: string
  #buffer: TextBuffer

  constructor(label: string, text = '') {
    this.#label = label
    this.#buffer = bufferOf(text)
  }

  get text(): string {
    return this.#buffer.text
  }

  draw({ paint, columns }: Look): Drawn {
    const { rows, x, y } = windowOf(textRows(this.#buffer, columns - this.#label.length - 4), ROWS)
    const indent = ' '.repeat(this.#label.length + 3)
    return {
      rows: rows.map((row, index) => (index === 0 ? `${paint('bold', this.#label)} › ${row}` : `${indent}${row}`)),
      cursor: { x: x + indent.length, y },
    }
  }

  /** Takes a key that edits. Returns false for any other. */
  press(input: string, key: Key): boolean {
    const edited = editText(this.#buffer, input, key)
    if (edited) this.#buffer = edited
    return edited !== undefined
  }

  paste(text: string): void {
    this.#buffer = insert(this.#buffer, typedText(text))
  }
}
