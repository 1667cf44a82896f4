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

/** A time limit that can be held while somebody is waited for. */
export interface Limit {
  hold(): void
  goOn(): void
  /** Forgets it, held or not. */
  end(): void
}

/** Starts a limit of so many milliseconds; `pass` is called when they are over, the held time not counted. */
export function startLimit(milliseconds: number, pass: () => void): Limit {
  let left = milliseconds
  let deadline: Deadline | undefined
  let isOver = false
  const goOn = () => {
    if (isOver || deadline !== undefined) return
    deadline = { at: performance.now() + left, pass }
    deadlines.add(deadline)
  }
  const hold = () => {
    if (deadline === undefined) return
    left = Math.max(0, deadline.at - performance.now())
    deadlines.remove(deadline)
    deadline = undefined
  }
  goOn()
  return {
    hold,
    goOn,
    end() {
      isOver = true
      hold()
    },
  }
}
