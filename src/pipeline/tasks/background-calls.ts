import type { Stop } from '../stopping/stop.ts'

/** How many calls run in the background at once; the others wait in the order they came. */
export const TOGETHER = 16

/** The calls of this process that run in the background. */
export class BackgroundCalls {
  readonly #stops = new Map<string, Stop>()
  readonly #ends = new Map<string, Promise<unknown>>()
  readonly #queue: (() => void)[] = []
  readonly #listen: (background: BackgroundCalls) => void
  #running = 0

  /** `listen` is called when a call is added. It follows the cancel requests of other processes. */
  constructor(listen: (background: BackgroundCalls) => void) {
    this.#listen = listen
  }

  /** True while any background call is running or queued. */
  get isBusy(): boolean {
    return this.#stops.size > 0
  }

  /** True if the next call must wait for its turn. */
  get isFull(): boolean {
    return this.#running >= TOGETHER
  }

  /** Adds a call until it has ended. */
  enter(call: string, stop: Stop, end: Promise<unknown>): void {
    this.#stops.set(call, stop)
    const left = () => {
      this.#stops.delete(call)
      this.#ends.delete(call)
    }
    this.#ends.set(call, end.then(left, left))
    this.#listen(this)
  }

  /** Resolves when it is this call's turn or the call was cancelled, to a function that releases the turn. */
  async takeTurn(stop: Stop): Promise<() => void> {
    if (stop.isCancelled) return () => undefined
    if (this.#running < TOGETHER) this.#running++
    else if (!(await this.#wait(stop))) return () => undefined
    return () => {
      const next = this.#queue.shift()
      if (next) next()
      else this.#running--
    }
  }

  /** Resolves to true when the call gets the turn of a call that ended. A call that is cancelled while it waits leaves the queue. */
  #wait(stop: Stop): Promise<boolean> {
    return new Promise((resolve) => {
      const go = () => {
        stop.offCancel(leave)
        resolve(true)
      }
      const leave = {
        cancel: () => {
          this.#queue.splice(this.#queue.indexOf(go), 1)
          stop.offCancel(leave)
          resolve(false)
        },
      }
      this.#queue.push(go)
      stop.onCancel(leave)
    })
  }

  /** Cancels a call. False if it does not run in this process. */
  cancel(call: string): boolean {
    const stop = this.#stops.get(call)
    stop?.cancel()
    return stop !== undefined
  }

  /** Resolves when the call has ended; at once if it does not run in this process. */
  async ended(call: string): Promise<void> {
    await this.#ends.get(call)
  }

  /** True if the call runs in this process. */
  has(call: string): boolean {
    return this.#stops.has(call)
  }

  /** Resolves when no call is left, including calls that are added meanwhile. */
  async idle(): Promise<void> {
    while (this.#ends.size > 0) await Promise.all(this.#ends.values())
  }

  /** Cancels all and resolves when the last has ended. */
  async close(): Promise<void> {
    for (const stop of this.#stops.values()) stop.cancel()
    await this.idle()
  }
}
