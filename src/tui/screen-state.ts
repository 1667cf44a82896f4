import type { Key } from 'ink'
import type { Paint } from '../core/terminal/style.ts'
import { wrapWords } from '../core/terminal/text-width.ts'
import { printable } from '../core/text/printable.ts'
import type { Layer, Screen } from './layers/layer.ts'
import { type Drawn, type Look, toAscii } from './look.ts'

/** Rows that were written for good. */
export interface Block {
  readonly key: number
  readonly rows: readonly string[]
}

/** How many blocks are kept. */
const KEPT_BLOCKS = 500
/** Takes the place of a block that is no longer kept. */
const FORGOTTEN: Block = { key: -1, rows: [] }

const NOTHING: Drawn = { rows: [] }

/** Takes the terminal away from the screen while work runs. */
export type Suspend = (work: () => Promise<void>) => Promise<void>

interface ScreenParts {
  readonly paint: Paint
  readonly isUtf8: boolean
  size(): { readonly columns: number; readonly rows: number }
  /** The layer that is there when no other is: the message. */
  base(): Layer & { readonly isEmpty: boolean }
  /** Draws what goes on in the session, above the top layer. */
  live(look: Look): readonly string[]
  status(look: Look): string
}

/** What is on the screen: blocks written for good, what goes on now, the layer that takes keys, the status bar. */
export class ScreenState implements Screen {
  readonly #parts: ScreenParts
  readonly #listeners = new Set<() => void>()
  #layers: readonly Layer[] = []
  #blocks: readonly Block[] = []
  #note: string | undefined
  #version = 0
  #generation = 0
  #written = 0
  #isTold = false
  #lastProgram: Promise<void> = Promise.resolve()
  /** Set by the component that draws. */
  handOver: Suspend = (work) => work()

  constructor(parts: ScreenParts) {
    this.#parts = parts
  }

  get blocks(): readonly Block[] {
    return this.#blocks
  }

  /** Changes when all blocks are to be written again. */
  get generation(): number {
    return this.#generation
  }

  get top(): Layer {
    return this.#layers.at(-1) ?? this.#parts.base()
  }

  get hasLayers(): boolean {
    return this.#layers.length > 0
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly version = (): number => this.#version

  look(): Look {
    const { columns, rows } = this.#parts.size()
    return { paint: this.#parts.paint, columns: Math.max(20, columns), rows: Math.max(8, rows) }
  }

  open(layer: Layer): void {
    this.#note = undefined
    this.#layers = [...this.#layers.filter((one) => one !== layer), layer]
    this.changed()
  }

  close(layer: Layer): void {
    this.#layers = this.#layers.filter((one) => one !== layer)
    // What was typed into a list or a field above a question is no answer to it.
    this.top.pause?.restart()
    this.changed()
  }

  changed(): void {
    if (this.#isTold) return
    this.#isTold = true
    queueMicrotask(() => {
      this.#isTold = false
      this.#version++
      for (const listener of this.#listeners) listener()
    })
  }

  print(rows: readonly string[]): void {
    if (rows.length === 0) return
    this.#blocks = [...this.#blocks, { key: this.#written++, rows: rows.map((row) => this.#shown(row)) }]
    // The terminal keeps what was written; here it is kept only as far as a resize writes it again.
    const old = this.#blocks.length - 1 - KEPT_BLOCKS
    if (old >= 0) this.#blocks = this.#blocks.with(old, FORGOTTEN)
    this.changed()
  }

  /** Writes the last blocks again: the terminal was resized and has wrapped them anew. */
  redraw(): void {
    this.#generation++
    this.#blocks = this.#blocks.slice(-Math.min(KEPT_BLOCKS, this.look().rows))
    this.changed()
  }

  say(text: string): void {
    this.#note = text === '' ? undefined : text
    this.changed()
  }

  /** One program has the terminal at a time: the next one waits for it. */
  suspend<T>(work: () => Promise<T>): Promise<T> {
    const done = Promise.withResolvers<T>()
    const handedOver = this.#lastProgram.then(() => this.handOver(() => work().then(done.resolve, done.reject)))
    this.#lastProgram = handedOver.catch(done.reject)
    return handedOver.then(() => {
      this.top.pause?.restart()
      return done.promise
    })
  }

  /** Passes a key to the top layer; what a question does not take goes where it went before. Returns false if nobody had a use for it. */
  press(input: string, key: Key): boolean {
    this.#note = undefined
    this.changed()
    const { top } = this
    if (top.pause === undefined) return top.press(input, key)
    if (top.pause.isOver && top.press(input, key)) return true
    top.pause.restart()
    this.#below.press(input, key)
    return true
  }

  /** To be called before several keys that arrived at once: nobody answers a question so fast. */
  pressedAtOnce(): void {
    if (!this.top.takesText) this.top.pause?.restart()
  }

  paste(text: string): void {
    const { pause, takesText } = this.top
    const isTaken = pause === undefined || (pause.isOver && takesText)
    if (!isTaken) pause.restart()
    const layer = isTaken ? this.top : this.#below
    layer.paste?.(text)
    this.changed()
  }

  /** The layer that took the keys before questions appeared. */
  get #below(): Layer {
    return this.#layers.findLast(({ pause }) => pause === undefined) ?? this.#parts.base()
  }

  /** Draws everything that is live. Never as tall as the terminal, so that what is above stays where it is. */
  draw(): Drawn {
    const look = this.look()
    const { paint, columns } = look
    const { top } = this
    top.pause?.begin()
    const note =
      this.#note === undefined
        ? []
        : wrapWords(printable(this.#note), columns - 3).map((row) => paint('yellow', `  ${row}`))
    const base = this.#parts.base()
    const message = top.pause && !base.isEmpty ? base.draw({ ...look, rows: 5 }) : NOTHING
    const space = look.rows - 2 - note.length - message.rows.length
    const layer = top.draw({ ...look, rows: this.hasLayers ? space : Math.min(space, 14) })
    const above = this.#parts.live({ ...look, rows: Math.max(0, space - layer.rows.length - 1) })
    const before = [...above, ...note, '']
    const rows = [...before, ...layer.rows, ...message.rows, this.#parts.status(look)].map((row) => this.#shown(row))
    const isHeld = top.pause?.isOver === false
    const { cursor } = isHeld ? message : layer
    const y = before.length + (isHeld ? layer.rows.length : 0)
    return { rows, cursor: cursor && { x: cursor.x, y: cursor.y + y } }
  }

  #shown(row: string): string {
    return this.#parts.isUtf8 ? row : toAscii(row)
  }
}
