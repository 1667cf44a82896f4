/** Tells the time and waits. Tests give one of their own. */
export interface Clock {
  /** In milliseconds of the process's clock. */
  now(): number
  /** Calls `work` after a time in milliseconds; returns what cancels it. */
  after(milliseconds: number, work: () => void): () => void
}

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds).unref()
    return () => clearTimeout(timer)
  },
}

/** How long a server that was lost waits until it is started again, in milliseconds; each time twice as long. */
const FIRST_WAIT = 1_000
/** How often it is started again without success before it counts as failed. It is tried again when it is next needed. */
const MAX_RETRIES = 5
/** How long a server must have worked for its next crash to count as the first, in milliseconds. */
const STEADY = 60_000

/** Starts a server again that was lost: later each time, and not for ever. */
export class Restarts {
  readonly #start: () => void
  readonly #clock: Clock
  #cancel: (() => void) | undefined
  #attempts = 0
  #readySince = 0

  constructor(start: () => void, clock: Clock) {
    this.#start = start
    this.#clock = clock
  }

  get isWaiting(): boolean {
    return this.#cancel !== undefined
  }

  /** Plans the next start. False when the server was started too often without success; counting begins anew then. */
  plan(): boolean {
    if (this.#attempts >= MAX_RETRIES) {
      this.#attempts = 0
      return false
    }
    const wait = FIRST_WAIT * 2 ** this.#attempts++
    this.#cancel = this.#clock.after(wait, () => {
      this.#cancel = undefined
      this.#start()
    })
    return true
  }

  /** Drops the planned start. */
  cancel(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  /** Notes that the server works. */
  noteReady(): void {
    this.#readySince = this.#clock.now()
  }

  /** Notes that a server that worked was lost; after a long time of working, counting begins anew. */
  noteLost(): void {
    if (this.#clock.now() - this.#readySince > STEADY) this.#attempts = 0
  }
}
