import type { BagMember } from '../core/bag.ts'
import type { Limit } from './deadlines.ts'

/** Whoever counts the calls under way. */
export interface StopKeeper {
  leave(stop: Stop): void
}

/** One call's way to be stopped, by its caller or by its time limit. A signal is made only when somebody looks at it. */
export class Stop implements BagMember {
  slot = -1
  /** True once the caller wished to stop. */
  wished = false
  #listener: (() => void) | undefined
  #limit: Limit | undefined
  #controller: AbortController | undefined
  #reason: Error | undefined
  #keeper: StopKeeper | undefined
  #letGo: (() => void) | undefined

  /** What the tool, and whoever waits for an answer, listen to. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#reason) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** The caller's wish: heard by the room that is at work, else it stops the call at the next door. */
  cancel(): void {
    if (this.wished) return
    this.wished = true
    if (this.#listener) this.#listener()
    else this.abort(new Error('the call was cancelled'))
  }

  /** Lets a caller's signal cancel, until `end`. */
  follow(signal: AbortSignal): void {
    const cancel = () => this.cancel()
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel, { once: true })
    this.#letGo = () => signal.removeEventListener('abort', cancel)
  }

  /** Counts as under way with this keeper, until `end`. */
  stayWith(keeper: StopKeeper): void {
    this.#keeper = keeper
  }

  /** To be called when the caller has its answer: neither its signal nor the keeper can cancel from here on. May be called twice. */
  end(): void {
    this.#keeper?.leave(this)
    this.#letGo?.()
  }

  /** Lets the room at work hear the wish, and have its time limit held; undefined when it is done. */
  hear(listener: (() => void) | undefined, limit?: Limit): void {
    this.#listener = listener
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

  /** Tells everybody who looks at the signal to stop, now or later. */
  abort(reason: Error): void {
    this.#reason ??= reason
    this.#controller?.abort(reason)
  }
}
