import type { Key } from 'ink'
import type { InputQuestion } from '../../core/input/input.ts'
import { Pause } from '../../core/terminal/pause.ts'
import { wrapWords } from '../../core/terminal/text-width.ts'
import { printable } from '../../core/text/printable.ts'
import type { Drawn, Look } from '../look.ts'
import { type Layer, type Screen, WAITS_FOR_PAUSE } from './layer.ts'
import { TextField } from './text-field.ts'

interface QuestionOptions {
  readonly question: InputQuestion
  readonly screen: Pick<Screen, 'changed'>
  answer(text: string): void
  later(): void
}

/** A question of a tool as a form: answers to choose from, or words of the person's own. */
export class Question implements Layer {
  readonly #options: QuestionOptions
  readonly #field = new TextField('answer')
  readonly pause: Pause
  readonly takesText = true
  #at = 0

  constructor(options: QuestionOptions) {
    this.#options = options
    this.pause = new Pause(() => options.screen.changed())
  }

  draw(look: Look): Drawn {
    const { paint, columns, rows: limit } = look
    const { question, options = [] } = this.#options.question
    const isTyped = this.#field.text !== ''
    const head = wrapWords(printable(question), columns - 4).map(
      (row, index) => `${index === 0 ? paint(['yellow', 'bold'], '?') : ' '} ${paint('bold', row)}`,
    )
    const offered = options.flatMap((option, index) =>
      wrapWords(printable(`${index + 1}. ${option}`), columns - 6).map((row, line) => {
        const isAt = !isTyped && index === this.#at
        return `  ${isAt && line === 0 ? paint('cyan', '> ') : '  '}${paint(isAt ? 'bold' : 'reset', row)}`
      }),
    )
    const field = this.#field.draw({ ...look, columns: columns - 2 })
    const how = options.length > 0 ? '↑↓ choose  or type  enter answer  esc later' : 'enter answer  esc later'
    const keys = wrapWords(this.pause.isOver ? how : WAITS_FOR_PAUSE, columns - 1).map((row) => paint('dim', row))
    const above = [...head, ...offered].slice(0, Math.max(2, limit - field.rows.length - keys.length))
    return {
      rows: [...above, ...field.rows.map((row) => `  ${row}`), ...keys],
      cursor: field.cursor && { x: field.cursor.x + 2, y: field.cursor.y + above.length },
    }
  }

  press(input: string, key: Key): boolean {
    const { options = [] } = this.#options.question
    if (key.escape) this.#options.later()
    else if (key.return) this.#submit()
    else if (key.upArrow && options.length > 0) this.#at = (this.#at + options.length - 1) % options.length
    else if (key.downArrow && options.length > 0) this.#at = (this.#at + 1) % options.length
    else this.#field.press(input, key)
    return true
  }

  paste(text: string): void {
    this.#field.paste(text)
  }

  #submit(): void {
    const { question, answer } = this.#options
    const typed = this.#field.text.trim()
    const options = question.options ?? []
    const text = typed === '' ? options[this.#at] : (options[Number(typed) - 1] ?? typed)
    if (text !== undefined) answer(text)
  }
}
