import { type Linked, LinkedSet } from './linked-set.ts'

/** A time, in milliseconds of the process's clock, and what to do when it has passed. */
interface Deadline extends Linked<Deadline> {
  readonly at: number
  look(): void
}

/**
 * All time limits of the process on one timer, because starting and stopping a timer for each call costs more than the call.
 * The timer keeps the process alive only while a deadline waits.
 */
class Deadlines {
  readonly #waiting = new LinkedSet<Deadline>()
  #timer: NodeJS.Timeout | undefined
  #fires = Number.POSITIVE_INFINITY

  /** Calls `look` once, when the time has come. */
  add(deadline: Deadline): void {
    if (this.#waiting.size === 0) this.#timer?.ref()
    this.#waiting.add(deadline)
    if (deadline.at < this.#fires) this.#schedule(deadline.at)
  }

  /** Removes a deadline that is no longer needed. */
  remove(deadline: Deadline): void {
    if (this.#waiting.delete(deadline) && this.#waiting.size === 0) this.#timer?.unref()
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
    for (const deadline of this.#waiting.list()) {
      if (deadline.at > now || !this.#waiting.delete(deadline)) continue
      deadline.look()
    }
    let next = Number.POSITIVE_INFINITY
    for (const { at } of this.#waiting.list()) next = Math.min(next, at)
    if (next < this.#fires) this.#schedule(next)
  }
}

/** The one timer for the time limits of all calls. */
const deadlines = new Deadlines()

/** When `remind` is called for the first time, in milliseconds. */
const PATIENCE = 1_000

/** A time limit that can be paused, for example while a person is asked. Starts when `goOn` is first called. */
export abstract class Limit implements Deadline {
  /** The time of the next check. */
  at = 0
  isLinked = false
  before: Deadline | undefined = undefined
  after: Deadline | undefined = undefined
  #left: number
  #patience = PATIENCE
  #end = 0
  #isOver = false

  constructor(milliseconds: number) {
    this.#left = milliseconds
  }

  /** Called when the limit has passed. */
  protected abstract pass(): void

  /** Called at growing intervals while the limit has not passed, with the milliseconds since the start or since the last call. */
  protected remind(_milliseconds: number): void {}

  goOn(): void {
    if (this.#isOver || this.isLinked) return
    const now = performance.now()
    this.#end = now + this.#left
    this.at = Math.min(this.#end, now + this.#patience)
    deadlines.add(this)
  }

  hold(): void {
    if (!this.isLinked) return
    deadlines.remove(this)
    this.#left = Math.max(0, this.#end - performance.now())
  }

  /** Gives more time, paused or not. */
  extend(milliseconds: number): void {
    this.#left += milliseconds
    this.#end += milliseconds
  }

  /** Ends the limit, paused or not. */
  end(): void {
    this.#isOver = true
    deadlines.remove(this)
  }

  /** Checks whether the limit has passed. Called only by the timer. */
  look(): void {
    if (this.at >= this.#end) {
      this.pass()
      return
    }
    this.remind(this.#patience)
    if (this.#isOver) return
    this.at = Math.min(this.#end, this.at + this.#patience)
    this.#patience *= 2
    deadlines.add(this)
  }
}
