import type { Limit } from './deadlines.ts'

/** One call's way to be stopped, by its caller or by its time limit. A signal is made only when somebody looks at it. */
export class Stop {
  /** True once the caller wished to stop. */
  wished = false
  #listener: (() => void) | undefined
  #limit: Limit | undefined
  #controller: AbortController | undefined
  #reason: Error | undefined

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

  /** Lets a caller's signal cancel; returns how to let go. */
  follow(signal: AbortSignal): () => void {
    const cancel = () => this.cancel()
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel, { once: true })
    return () => signal.removeEventListener('abort', cancel)
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
