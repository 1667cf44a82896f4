import type { Stop, StopKeeper } from '../stopping/stop.ts'

/** The calls under way, so that closing can cancel them and wait for their ends. */
export class RunningCalls implements StopKeeper {
  readonly #stops = new Set<Stop>()
  #closed = false
  readonly #idle = Promise.withResolvers<void>()

  /** True from when closing began: nothing new may begin. */
  get isClosed(): boolean {
    return this.#closed
  }

  /** True while a call is under way. */
  get isBusy(): boolean {
    return this.#stops.size > 0
  }

  /** Counts a call in until its stop is told to end; one that comes after closing is cancelled. */
  enter(stop: Stop): void {
    this.#stops.add(stop)
    stop.stayWith(this)
    if (this.#closed) stop.cancel()
  }

  /** Counts a call out. */
  leave(stop: Stop): void {
    this.#stops.delete(stop)
    if (this.#closed && this.#stops.size === 0) this.#idle.resolve()
  }

  /** Cancels all calls and resolves when the last has ended. May be called twice, also at the same time. */
  async close(): Promise<void> {
    this.#closed = true
    for (const stop of [...this.#stops]) stop.cancel()
    if (this.#stops.size > 0) await this.#idle.promise
  }
}
