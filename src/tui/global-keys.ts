import type { Key } from 'ink'
import type { Conversation } from './conversation.ts'
import { Viewer } from './layers/viewer.ts'
import type { Prompt } from './prompt/prompt.ts'
import { splitKeys } from './prompt/split-keys.ts'
import type { ScreenState } from './screen-state.ts'
import type { Surroundings } from './surroundings.ts'

/** A second Ctrl-C within this time leaves, in milliseconds. */
const TWICE = 2_000

interface KeyParts {
  readonly screen: ScreenState
  readonly prompt: Prompt
  readonly conversation: Conversation
  readonly around: Surroundings
  showHelp(): void
  /** Shows the last output (`o`) or the last thoughts (`t`) in full. */
  showFull(key: 'o' | 't'): void
}

/** The keys that mean the same wherever they are pressed; the others go to the top layer. */
export class GlobalKeys {
  readonly #parts: KeyParts
  #interruptedAt = 0

  constructor(parts: KeyParts) {
    this.#parts = parts
  }

  press(input: string, key: Key): void {
    if (key.eventType === 'release') return
    const keys = splitKeys(input, key)
    if (keys) this.#parts.screen.pressedAtOnce()
    for (const one of keys ?? [{ input, key }]) this.#pressOne(one.input, one.key)
  }

  #pressOne(input: string, key: Key): void {
    const { screen, prompt, around } = this.#parts
    const isIdle = prompt.isEmpty && !screen.hasLayers
    if (key.ctrl && input === 'c') this.#interrupt()
    else if (key.ctrl && input === 'z') around.suspend()
    else if (key.ctrl && input === 'd' && isIdle) around.exit(0)
    else if (input === '?' && isIdle) this.#parts.showHelp()
    else if (key.ctrl && (input === 'o' || input === 't') && !(screen.top instanceof Viewer))
      this.#parts.showFull(input)
    else if (!screen.press(input, key) && key.escape) this.#escape()
  }

  /** Esc that nothing else had a use for: stops the run, or empties the prompt. */
  #escape(): void {
    const { conversation, prompt, screen } = this.#parts
    if (!conversation.isRunning) prompt.clear()
    else {
      conversation.stop()
      screen.say('Stopping…')
    }
  }

  /** Ctrl-C: stops what runs, then empties the prompt, then leaves at the second press. */
  #interrupt(): void {
    const { conversation, prompt, screen, around } = this.#parts
    const now = Date.now()
    const isSecond = now - this.#interruptedAt < TWICE
    const wasRunning = conversation.isRunning
    this.#interruptedAt = now
    if (isSecond) around.exit(wasRunning ? 130 : 0)
    if (wasRunning) conversation.stop()
    else prompt.clear()
    screen.say(wasRunning ? 'Stopping… Press Ctrl-C again to leave.' : 'Press Ctrl-C again to leave.')
  }
}
