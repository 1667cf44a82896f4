import type { Limit } from './deadlines.ts'

/** Whoever counts the calls under way. */
export interface StopKeeper {
  leave(stop: Stop): void
}

/** How one call is stopped, by its caller or by its time limit. A signal is made only when somebody looks at it. */
export class Stop {
  /** True once the caller asked for the call to be cancelled. */
  isCancelled = false
  /** Those who handle a cancel request themselves; mostly one, so that no list is made for it (gate 1b). */
  #handler: (() => void) | undefined
  #others: (() => void)[] | undefined
  #limit: Limit | undefined
  #controller: AbortController | undefined
  #reason: Error | undefined
  #keeper: StopKeeper | undefined
  #unfollow: (() => void) | undefined

  /** What the tool, and whoever waits for an answer, listen to. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#reason) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** Cancels the call: each handler is called; where there is none, the signal aborts. */
  cancel(): void {
    if (this.isCancelled) return
    this.isCancelled = true
    const handlers = [this.#handler, ...(this.#others ?? [])].filter((handler) => handler !== undefined)
    for (const handler of handlers) handler()
    if (handlers.length === 0) this.abort(new Error('the call was cancelled'))
  }

  /** Lets a caller's signal cancel, until `end`. */
  follow(signal: AbortSignal): void {
    const cancel = () => this.cancel()
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel, { once: true })
    this.#unfollow = () => signal.removeEventListener('abort', cancel)
  }

  /** Counts as under way with this keeper, until `end`. */
  stayWith(keeper: StopKeeper): void {
    this.#keeper = keeper
  }

  /** To be called when the caller has its answer: neither its signal nor the keeper can cancel from here on. May be called twice. */
  end(): void {
    this.#keeper?.leave(this)
    this.#unfollow?.()
  }

  /** Calls the handler when the call is cancelled, in place of aborting the signal, until `offCancel`. Each handler has its own place. */
  onCancel(handler: () => void): void {
    if (this.#handler === undefined) this.#handler = handler
    else if (this.#others === undefined) this.#others = [handler]
    else this.#others.push(handler)
  }

  /** Removes a handler; nothing where it is not there. */
  offCancel(handler: () => void): void {
    if (this.#handler === handler) this.#handler = undefined
    else if (this.#others) this.#others = this.#others.filter((other) => other !== handler)
  }

  /** Names the time limit that `hold` holds; undefined when there is none any more. */
  setLimit(limit: Limit | undefined): void {
    this.#limit = limit
  }

  /** Waits for something that is not the tool's work: its time limit does not count meanwhile. */
  async hold<T>(waiting: Promise<T>): Promise<T> {
    const limit = this.#limit
    limit?.hold()
    try {
      return await waiting
    } finally {
      limit?.goOn()
    }
  }

  /** Aborts the signal, for everybody who looks at it now or later. */
  abort(reason: Error): void {
    this.#reason ??= reason
    this.#controller?.abort(reason)
  }
}
