import type { Key } from 'ink'
import { cutToWidth, widthOf } from '../../core/terminal/text-width.ts'
import { printableLine } from '../../core/text/printable.ts'
import type { EditText } from '../external.ts'
import type { Layer, Screen } from '../layers/layer.ts'
import { openPicker } from '../layers/picker.ts'
import { type Drawn, type Look, spread } from '../look.ts'
import { editText, typedText } from './edit-keys.ts'
import type { History } from './history.ts'
import { Pastes } from './pastes.ts'
import { type Names, type Suggestion, suggest } from './suggestions.ts'
import { bufferOf, EMPTY, insert, moveLine, type TextBuffer } from './text-buffer.ts'
import { textRows, windowOf } from './text-rows.ts'

interface PromptOptions {
  readonly screen: Screen
  readonly history: History
  readonly names: Names
  readonly edit: EditText | undefined
  /** Called with a message that the person has sent; it may be empty. */
  submit(text: string): void
}

/** The most rows of the message; a longer one scrolls. */
const ROWS = 10

/** Where the person writes: several lines, history, completion of commands and files. */
export class Prompt implements Layer {
  readonly #options: PromptOptions
  readonly #pastes = new Pastes()
  #buffer: TextBuffer = EMPTY
  #suggestions: readonly Suggestion[] = []
  #at = 0

  constructor(options: PromptOptions) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#buffer.text === ''
  }

  clear(): void {
    this.#set(EMPTY)
  }

  draw(look: Look): Drawn {
    const { paint, columns, rows: limit } = look
    const space = Math.max(1, Math.min(ROWS, limit - 2))
    const { rows, x, y } = windowOf(textRows(this.#buffer, columns - 4), space)
    const hint = this.isEmpty ? paint('dim', '/ commands  @ file  ! shell  ? keys') : ''
    const lines = rows.map((row, index) => `${index === 0 ? paint('cyan', '>') : ' '} ${row}`)
    const [first = '', ...others] = lines
    const room = Math.max(0, Math.min(6, limit - lines.length))
    return {
      rows: [spread(first, hint, columns - 1), ...others, ...this.#suggestionRows(look).slice(0, room)],
      cursor: { x: x + 2, y },
    }
  }

  press(input: string, key: Key): boolean {
    if (this.#suggestions.length > 0 && this.#pressSuggestion(key)) return true
    if (key.return && !key.shift && !key.meta) return this.#enter()
    if (key.return || input === '\n' || (key.ctrl && input === 'j')) return this.#set(insert(this.#buffer, '\n'))
    if (key.upArrow || key.downArrow) return this.#vertical(key.upArrow ? -1 : 1)
    if (key.ctrl && (input === 'g' || input === 'x')) return this.#openEditor()
    if (key.ctrl && input === 'r') return this.#searchHistory()
    const pasted = key.backspace && this.#pastes.endingAt(this.#buffer.text, this.#buffer.cursor)
    if (pasted) return this.#cut(pasted.length)
    const edited = editText(this.#buffer, input, key)
    return edited !== undefined && this.#set(edited)
  }

  paste(text: string): void {
    this.#set(insert(this.#buffer, this.#pastes.take(typedText(text))))
  }

  #set(buffer: TextBuffer): true {
    this.#buffer = buffer
    this.#at = 0
    this.#suggestions = []
    void suggest(buffer, this.#options.names).then((found) => {
      if (this.#buffer !== buffer || found.length === 0) return
      this.#suggestions = found
      this.#options.screen.changed()
    })
    return true
  }

  #cut(length: number): true {
    const { text, cursor } = this.#buffer
    return this.#set({ text: text.slice(0, cursor - length) + text.slice(cursor), cursor: cursor - length })
  }

  #enter(): true {
    const { text, cursor } = this.#buffer
    if (text.endsWith('\\') && cursor === text.length) return this.#set(bufferOf(`${text.slice(0, -1)}\n`))
    const sent = this.#pastes.expand(text)
    this.#set(EMPTY)
    if (sent.trim() !== '') this.#options.history.add(sent)
    this.#options.submit(sent)
    return true
  }

  #vertical(step: -1 | 1): true {
    const moved = moveLine(this.#buffer, step)
    if (moved) return this.#set(moved)
    const { history, screen } = this.#options
    void history.step(step === -1 ? 1 : -1, this.#buffer.text).then((text) => {
      if (text === undefined) return
      this.#buffer = bufferOf(this.#pastes.take(text))
      screen.changed()
    })
    return true
  }

  /** Lists the earlier messages to choose from; the chosen one takes the place of what is written. */
  #searchHistory(): true {
    const { history, screen } = this.#options
    void history.all().then((texts) => {
      if (texts.length === 0) return screen.say('No message was sent in this folder yet.')
      openPicker(screen, {
        title: 'Earlier messages',
        choices: texts.map((text, index) => ({ id: String(index), text })),
        chosen: (id) => this.#set(bufferOf(this.#pastes.take(texts[Number(id)] ?? ''))),
      })
    })
    return true
  }

  #openEditor(): true {
    const { edit, screen } = this.#options
    if (edit === undefined) {
      screen.say('Set EDITOR or VISUAL to write in an editor.')
      return true
    }
    void screen
      .suspend(() => edit(this.#pastes.expand(this.#buffer.text), 'message.md'))
      .then((edited) => {
        if ('problem' in edited) screen.say(edited.problem)
        else this.#set(bufferOf(this.#pastes.take(edited.text.trimEnd())))
        screen.changed()
      })
    return true
  }

  #pressSuggestion(key: Key): boolean {
    const count = this.#suggestions.length
    const chosen = this.#suggestions[this.#at]
    if (key.escape) this.#suggestions = []
    else if (key.upArrow) this.#at = (this.#at + count - 1) % count
    else if (key.downArrow) this.#at = (this.#at + 1) % count
    else if ((key.tab || key.return) && chosen) return this.#accept(chosen, key.return)
    else return false
    return true
  }

  /** Puts a suggestion in place. Enter also sends a command, and leaves alone one that is typed in full. */
  #accept({ text, from }: Suggestion, isEnter: boolean): boolean {
    const { text: all, cursor } = this.#buffer
    const isCommand = text.startsWith('/')
    if (isEnter && isCommand && this.#suggestions.some((one) => one.text.trim() === all.trim())) return false
    this.#set({ text: all.slice(0, from) + text + all.slice(cursor), cursor: from + text.length })
    return isEnter && isCommand ? this.#enter() : true
  }

  #suggestionRows({ paint, columns }: Look): string[] {
    const wide = Math.max(0, ...this.#suggestions.map(({ text }) => widthOf(text)))
    const first = Math.max(0, this.#at - 5)
    return this.#suggestions.slice(first, first + 6).map(({ text, detail = '' }, index) => {
      const isAt = first + index === this.#at
      const name = cutToWidth(printableLine(text.trimEnd()), columns - 5)
      const help = detail === '' ? '' : cutToWidth(printableLine(detail), Math.max(0, columns - wide - 6))
      const gap = ' '.repeat(Math.max(1, wide - widthOf(name) + 1))
      return `${isAt ? paint('cyan', '  > ') : '    '}${paint(isAt ? 'bold' : 'reset', name)}${gap}${paint('dim', help)}`
    })
  }
}
