import type { Stop } from './stop.ts'

/** The calls under way, so that closing can cancel them and wait for their ends. */
export class RunningCalls {
  readonly #stops = new Set<Stop>()
  #closed = false
  #whenIdle: (() => void) | undefined

  /** Runs a call, counted while it does; one that comes after closing is cancelled. */
  async run<T>(stop: Stop, work: () => Promise<T>): Promise<T> {
    this.#stops.add(stop)
    if (this.#closed) stop.cancel()
    try {
      return await work()
    } finally {
      this.#stops.delete(stop)
      if (this.#stops.size === 0) this.#whenIdle?.()
    }
  }

  /** Cancels all calls and resolves when the last has ended. */
  async close(): Promise<void> {
    this.#closed = true
    const idle = new Promise<void>((resolve) => {
      this.#whenIdle = resolve
    })
    for (const stop of this.#stops) stop.cancel()
    if (this.#stops.size > 0) await idle
  }
}
