import type { Key } from 'ink'
import type { Pause } from '../../core/terminal/pause.ts'
import type { Drawn, Look } from '../look.ts'

/** A part of the screen that takes the keys while it is on top: the prompt, an approval, a question, a list to choose from. */
export interface Layer {
  /** Draws it in at most `look.rows` rows. */
  draw(look: Look): Drawn
  /** Takes a key. Returns false for one that it has no use for. */
  press(input: string, key: Key): boolean
  paste?(text: string): void
  /** Of a question, which appears by itself: the pause in typing after which it takes keys. */
  readonly pause?: Pause
  /** True while a question takes text; else several keys at once are no answer, and neither is a paste. */
  readonly takesText?: boolean
}

/** What a question says until it takes keys. */
export const WAITS_FOR_PAUSE = 'Takes keys once you stop typing; until then they go to your message.'

/** What a layer may do with the screen. */
export interface Screen {
  /** Shows a layer above the others. */
  open(layer: Layer): void
  /** Takes a layer away, wherever it is. */
  close(layer: Layer): void
  /** Draws again soon. */
  changed(): void
  /** Writes rows for good, above what is live. */
  print(rows: readonly string[]): void
  /** Shows a short message of Haft above the prompt until the next key. */
  say(text: string): void
  /** Hands the terminal to a program, and takes it back when that has ended. */
  suspend<T>(work: () => Promise<T>): Promise<T>
}
