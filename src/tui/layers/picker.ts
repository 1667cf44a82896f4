import type { Key } from 'ink'
import { cutToWidth, wrapWords } from '../../core/terminal/text-width.ts'
import { printableLine } from '../../core/text/printable.ts'
import { type Drawn, type Look, spread } from '../look.ts'
import type { Layer, Screen } from './layer.ts'

/** One entry of a list to choose from. */
export interface Choice {
  readonly id: string
  readonly text: string
  readonly detail?: string
}

/** What a list shows, and what becomes of the choice. */
export interface PickerOptions {
  readonly title: string
  readonly choices: readonly Choice[]
  /** The entry that the list begins at. */
  readonly at?: string | undefined
  /** For a list with marks: the ids that are marked. Space changes one, a and n all. */
  readonly marked?: ReadonlySet<string> | undefined
  /** Why nothing can be changed. */
  readonly locked?: string | undefined
  /** A sentence below the list. */
  readonly about?: string | undefined
  /** Rows below the list, such as tools that could not be loaded. */
  readonly notes?: readonly string[]
  chosen(id: string, marked: ReadonlySet<string>): void
  closed(): void
}

/** Shows a list to choose from; it closes with the choice. */
export function openPicker(screen: Screen, options: Omit<PickerOptions, 'closed'>): void {
  const close = () => screen.close(picker)
  const chosen: PickerOptions['chosen'] = (id, marked) => {
    close()
    options.chosen(id, marked)
  }
  const picker: Picker = new Picker({ ...options, chosen, closed: close })
  screen.open(picker)
}

/** A list to choose from: one entry, or any number of marked ones. Letters search in a plain list; `/` does in one with marks. */
export class Picker implements Layer {
  readonly #options: PickerOptions
  #marked: Set<string> | undefined
  #at: number
  #search = ''
  #isSearching = false

  constructor(options: PickerOptions) {
    this.#options = options
    this.#marked = options.marked && new Set(options.marked)
    this.#at = Math.max(
      0,
      options.choices.findIndex(({ id }) => id === options.at),
    )
  }

  draw({ paint, columns, rows }: Look): Drawn {
    const { title, choices, locked, about, notes = [] } = this.#options
    const aside = about === undefined ? [] : wrapWords(paint('dim', printableLine(about)), columns - 1)
    const found = this.#found()
    const count = this.#marked ? ` ${this.#marked.size}/${choices.length}` : ''
    const head = spread(
      `${paint('bold', `${title}${count}`)}${this.#search === '' && !this.#isSearching ? '' : `  / ${this.#search}`}`,
      paint('dim', locked ?? this.#keys()),
      columns - 1,
    )
    const space = Math.max(3, rows - 2 - notes.length - aside.length)
    const first = Math.min(Math.max(0, this.#at - space + 1), Math.max(0, found.length - space))
    const wide = Math.min(Math.max(0, ...found.map(({ text }) => text.length)) + 2, Math.floor(columns / 2))
    const list = found.slice(first, first + space).map(({ id, text, detail = '' }, index) => {
      const mark = this.#marked ? (this.#marked.has(id) ? '[x] ' : '[ ] ') : ''
      const isAt = first + index === this.#at
      const name = cutToWidth(printableLine(text), columns - 6).padEnd(detail === '' ? 0 : wide)
      const left = columns - 3 - mark.length - name.length
      const more = detail === '' || left < 8 ? '' : ` ${paint('dim', cutToWidth(printableLine(detail), left))}`
      return `${isAt ? paint('cyan', '> ') : '  '}${mark}${paint(isAt ? 'bold' : 'reset', name)}${more}`
    })
    const none = found.length === 0 ? [paint('dim', '  Nothing matches.')] : []
    const below = notes.map((note) => paint('yellow', cutToWidth(printableLine(`! ${note}`), columns - 1)))
    return { rows: [head, ...list, ...none, ...aside, ...below] }
  }

  press(input: string, key: Key): boolean {
    const found = this.#found()
    if (key.escape) this.#leave()
    else if (key.upArrow) this.#at = (this.#at + found.length - 1) % Math.max(1, found.length)
    else if (key.downArrow) this.#at = (this.#at + 1) % Math.max(1, found.length)
    else if (key.pageUp) this.#at = Math.max(0, this.#at - 10)
    else if (key.pageDown) this.#at = Math.max(0, Math.min(found.length - 1, this.#at + 10))
    else if (key.return) this.#choose(found)
    else if (key.ctrl || key.meta) return false
    else if (this.#marked && !this.#isSearching) return this.#changeAll(input)
    else this.#find(key.backspace ? this.#search.slice(0, -1) : this.#search + printableLine(input))
    return true
  }

  #keys(): string {
    return this.#marked
      ? 'a all  n none  / search  space toggle  enter done'
      : 'type to search  enter choose  esc close'
  }

  /** The entries that hold every word of the search; those whose name does come first. */
  #found(): readonly Choice[] {
    const words = this.#search.toLowerCase().split(/\s+/)
    const holds = (text: string) => words.every((word) => text.toLowerCase().includes(word))
    const { choices } = this.#options
    const named = choices.filter(({ text }) => holds(text))
    return [...named, ...choices.filter(({ text, detail = '' }) => !holds(text) && holds(`${text} ${detail}`))]
  }

  #find(search: string): void {
    this.#search = search
    this.#at = 0
  }

  #leave(): void {
    const isSearching = this.#search !== '' || this.#isSearching
    this.#isSearching = false
    this.#find('')
    if (!isSearching) this.#options.closed()
  }

  #choose(found: readonly Choice[]): void {
    if (this.#isSearching) {
      this.#isSearching = false
      return
    }
    const { chosen, closed, locked } = this.#options
    const entry = found[this.#at]
    if (locked !== undefined || (entry === undefined && !this.#marked)) closed()
    else chosen(entry?.id ?? '', this.#marked ?? new Set())
  }

  /** Several letters come at once where they are typed faster than they are read; after `/` they are the search. */
  #changeAll(input: string): boolean {
    const [first = '', ...rest] = input
    const isUsed = this.#change(first, this.#found())
    if (rest.length === 0) return isUsed
    if (this.#isSearching) this.#find(rest.join(''))
    else this.#changeAll(rest.join(''))
    return true
  }

  #change(input: string, found: readonly Choice[]): boolean {
    if (input === '/') this.#isSearching = true
    else if (this.#options.locked !== undefined || !this.#marked) return false
    else if (input === 'a') for (const { id } of found) this.#marked.add(id)
    else if (input === 'n') for (const { id } of found) this.#marked.delete(id)
    else if (input === ' ') {
      const id = found[this.#at]?.id
      if (id !== undefined && !this.#marked.delete(id)) this.#marked.add(id)
    } else return false
    return true
  }
}
