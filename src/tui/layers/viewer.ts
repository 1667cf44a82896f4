import type { Key } from 'ink'
import { cutToWidth, widthOf } from '../../core/terminal/text-width.ts'
import { printableLine } from '../../core/text/printable.ts'
import { type Drawn, type Look, spread, WIDE_ENOUGH } from '../look.ts'
import type { Layer, Screen } from './layer.ts'

/** A text that is shown in part elsewhere. */
export interface FullText {
  readonly title: string
  /** True while it grows: the end is shown then. */
  readonly isFollowing: boolean
  rows(look: Look): readonly string[]
}

interface ViewerOptions extends FullText {
  closed(): void
}

/** Shows a text in full until the person closes it. */
export function openViewer(screen: Screen, text: FullText): void {
  const viewer: Viewer = new Viewer({ ...text, closed: () => screen.close(viewer) })
  screen.open(viewer)
}

/** A text in full that is folded elsewhere. It scrolls. */
export class Viewer implements Layer {
  readonly #options: ViewerOptions
  #first = 0
  #space = 1
  #isAtEnd: boolean

  constructor(options: ViewerOptions) {
    this.#options = options
    this.#isAtEnd = options.isFollowing
  }

  draw(look: Look): Drawn {
    const { paint, columns } = look
    const all = this.#options.rows(look)
    this.#space = Math.max(3, look.rows - 3)
    const last = Math.max(0, all.length - this.#space)
    this.#first = this.#isAtEnd ? last : Math.max(0, Math.min(this.#first, last))
    const seen = all.slice(this.#first, this.#first + this.#space)
    const where = `rows ${Math.min(all.length, this.#first + 1)}-${this.#first + seen.length} of ${all.length}`
    const keys = columns < WIDE_ENOUGH ? 'esc close' : `${where}  ↑↓ scroll  esc close`
    const title = cutToWidth(printableLine(this.#options.title), columns - widthOf(keys) - 3)
    return { rows: [spread(paint('bold', title), paint('dim', keys), columns - 1), ...seen] }
  }

  press(input: string, key: Key): boolean {
    if (key.escape || input === 'q' || (key.ctrl && (input === 'o' || input === 't'))) this.#options.closed()
    else if (key.upArrow) this.#move(-1)
    else if (key.downArrow) this.#move(1)
    else if (key.pageUp) this.#move(-this.#space)
    else if (key.pageDown || input === ' ') this.#move(this.#space)
    else if (key.home || input === 'g') this.#move(-Infinity)
    else if (key.end || input === 'G') this.#isAtEnd = true
    else return false
    return true
  }

  #move(rows: number): void {
    this.#isAtEnd = false
    this.#first = Math.max(0, this.#first + rows)
  }
}
