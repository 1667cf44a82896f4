import { LinkedSet } from '../stopping/linked-set.ts'
import type { Stop, StopKeeper } from '../stopping/stop.ts'

/** The running calls, so that closing can cancel them and wait until they have ended. */
export class RunningCalls implements StopKeeper {
  readonly #stops = new LinkedSet<Stop>()
  #closed = false
  readonly #idle = Promise.withResolvers<void>()

  /** True once closing has begun; no new call may start. */
  get isClosed(): boolean {
    return this.#closed
  }

  /** True while a call is running. */
  get isBusy(): boolean {
    return this.#stops.size > 0
  }

  /** Adds a call until its `stop.end()` is called. A call that is added after closing began is cancelled. */
  enter(stop: Stop): void {
    this.#stops.add(stop)
    stop.stayWith(this)
    if (this.#closed) stop.cancel()
  }

  /** Returns what stops a call that runs here in the foreground. Looks through all of them: people rarely ask. */
  find(call: string): Stop | undefined {
    return this.#stops.list().find((stop) => stop.call === call)
  }

  /** Removes a call. */
  leave(stop: Stop): void {
    this.#stops.delete(stop)
    if (this.#closed && this.#stops.size === 0) this.#idle.resolve()
  }

  /** Cancels all calls and resolves when the last has ended. May be called several times, also concurrently. */
  async close(): Promise<void> {
    this.#closed = true
    for (const stop of this.#stops.list()) stop.cancel()
    if (this.#stops.size > 0) await this.#idle.promise
  }
}
