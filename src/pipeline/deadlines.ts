/** A moment, in milliseconds of the process's clock, and what to do when it has passed. */
export interface Deadline {
  readonly at: number
  pass(): void
}

/**
 * All time limits of the process on one timer: starting and stopping a timer for each call costs more than the call.
 * The timer keeps the process alive only while a deadline waits.
 */
class Deadlines {
  readonly #waiting = new Set<Deadline>()
  #timer: NodeJS.Timeout | undefined
  #fires = Number.POSITIVE_INFINITY

  /** Calls `pass` once, when the moment has come. */
  add(deadline: Deadline): void {
    if (this.#waiting.size === 0) this.#timer?.ref()
    this.#waiting.add(deadline)
    if (deadline.at < this.#fires) this.#schedule(deadline.at)
  }

  /** Forgets a deadline that is no longer needed. */
  remove(deadline: Deadline): void {
    this.#waiting.delete(deadline)
    if (this.#waiting.size === 0) this.#timer?.unref()
  }

  #schedule(at: number): void {
    clearTimeout(this.#timer)
    this.#fires = at
    this.#timer = setTimeout(() => this.#fire(), Math.max(1, Math.ceil(at - performance.now())))
  }

  #fire(): void {
    this.#timer = undefined
    this.#fires = Number.POSITIVE_INFINITY
    const now = performance.now()
    const passed = [...this.#waiting].filter(({ at }) => at <= now)
    for (const deadline of passed) {
      this.#waiting.delete(deadline)
      deadline.pass()
    }
    let next = Number.POSITIVE_INFINITY
    for (const { at } of this.#waiting) next = Math.min(next, at)
    if (next < this.#fires) this.#schedule(next)
  }
}

/** The one timer for the time limits of all calls. */
export const deadlines = new Deadlines()
