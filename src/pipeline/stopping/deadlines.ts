/** A moment, in milliseconds of the process's clock, and what to do when it has passed. */
interface Deadline {
  readonly at: number
  look(): void
}

/**
 * All time limits of the process on one timer: starting and stopping a timer for each call costs more than the call.
 * The timer keeps the process alive only while a deadline waits.
 */
class Deadlines {
  readonly #waiting = new Set<Deadline>()
  #timer: NodeJS.Timeout | undefined
  #fires = Number.POSITIVE_INFINITY

  /** Calls `look` once, when the moment has come. */
  add(deadline: Deadline): void {
    if (this.#waiting.size === 0) this.#timer?.ref()
    this.#waiting.add(deadline)
    if (deadline.at < this.#fires) this.#schedule(deadline.at)
  }

  /** True while it waits for this moment. */
  has(deadline: Deadline): boolean {
    return this.#waiting.has(deadline)
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
    for (const deadline of [...this.#waiting]) {
      if (deadline.at > now || !this.#waiting.delete(deadline)) continue
      deadline.look()
    }
    let next = Number.POSITIVE_INFINITY
    for (const { at } of this.#waiting) next = Math.min(next, at)
    if (next < this.#fires) this.#schedule(next)
  }
}

/** The one timer for the time limits of all calls. */
const deadlines = new Deadlines()

/** What a limit tells. */
export interface LimitListener {
  /** It is over. */
  pass(): void
  /** It is not over, but so many milliseconds are since it began or told this before: more and more rarely. */
  remind(milliseconds: number): void
}

/** When it is told for the first time that a limit runs, in milliseconds. */
const PATIENCE = 1_000

/** A time limit that can be held while somebody is waited for; the held time is not counted. Runs from when `goOn` is first called. */
export class Limit implements Deadline {
  /** When it is looked at next. */
  at = 0
  readonly #listener: LimitListener
  #left: number
  #patience = PATIENCE
  #end = 0
  #isOver = false

  constructor(milliseconds: number, listener: LimitListener) {
    this.#left = milliseconds
    this.#listener = listener
  }

  goOn(): void {
    if (this.#isOver || deadlines.has(this)) return
    const now = performance.now()
    this.#end = now + this.#left
    this.at = Math.min(this.#end, now + this.#patience)
    deadlines.add(this)
  }

  hold(): void {
    if (!deadlines.has(this)) return
    deadlines.remove(this)
    this.#left = Math.max(0, this.#end - performance.now())
  }

  /** Forgets it, held or not. */
  end(): void {
    this.#isOver = true
    deadlines.remove(this)
  }

  /** Looks whether it is over; to be called by the timer alone. */
  look(): void {
    if (this.at >= this.#end) {
      this.#listener.pass()
      return
    }
    this.#listener.remind(this.#patience)
    if (this.#isOver) return
    this.at = Math.min(this.#end, this.at + this.#patience)
    this.#patience *= 2
    deadlines.add(this)
  }
}
