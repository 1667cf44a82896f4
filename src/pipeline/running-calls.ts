import { Bag } from '../core/bag.ts'
import type { Stop, StopKeeper } from './stop.ts'

/** The calls under way, so that closing can cancel them and wait for their ends. */
export class RunningCalls implements StopKeeper {
  readonly #stops = new Bag<Stop>()
  #closed = false
  #whenIdle: (() => void) | undefined

  /** Counts a call in until its stop is told to end; one that comes after closing is cancelled. */
  enter(stop: Stop): void {
    this.#stops.add(stop)
    stop.stayWith(this)
    if (this.#closed) stop.cancel()
  }

  /** Counts a call out. */
  leave(stop: Stop): void {
    this.#stops.remove(stop)
    if (this.#stops.size === 0) this.#whenIdle?.()
  }

  /** Cancels all calls and resolves when the last has ended. */
  async close(): Promise<void> {
    this.#closed = true
    const idle = new Promise<void>((resolve) => {
      this.#whenIdle = resolve
    })
    for (const stop of this.#stops.list()) stop.cancel()
    if (this.#stops.size > 0) await idle
  }
}
