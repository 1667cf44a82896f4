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

/** What a limit tells. */
export interface LimitListener {
  /** It is over. */
  pass(): void
  /** It is not over, but so many milliseconds are since it began or told this before: more and more rarely. */
  remind(milliseconds: number): void
}

/** When it is told for the first time that a limit runs, in milliseconds. */
const PATIENCE = 1_000

/** Starts a limit of so many milliseconds; `pass` is called when they are over, the held time not counted. */
export function startLimit(milliseconds: number, { pass, remind }: LimitListener): Limit {
  let left = milliseconds
  let patience = PATIENCE
  let end = 0
  let deadline: { at: number; pass(): void } | undefined
  let isOver = false
  const look = () => {
    if (deadline === undefined || deadline.at >= end) return pass()
    remind(patience)
    deadline.at = Math.min(end, deadline.at + patience)
    patience *= 2
    deadlines.add(deadline)
  }
  const goOn = () => {
    if (isOver || deadline !== undefined) return
    const now = performance.now()
    end = now + left
    deadline = { at: Math.min(end, now + patience), pass: look }
    deadlines.add(deadline)
  }
  const hold = () => {
    if (deadline === undefined) return
    deadlines.remove(deadline)
    deadline = undefined
    if (!isOver) left = Math.max(0, end - performance.now())
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
