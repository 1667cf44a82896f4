/** Lets so many work at once; the others wait in the order they came. */
export class Turns {
  readonly #together: number
  readonly #queue: (() => void)[] = []
  #working = 0

  constructor(together: number) {
    this.#together = together
  }

  /** True while nobody works or waits. */
  get isIdle(): boolean {
    return this.#working === 0
  }

  /** Runs the work when it is its turn. Work whose signal aborts while it waits is run at once, so that it can end itself. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (signal.aborted) return work()
    if (this.#working < this.#together) this.#working++
    else if (!(await this.#wait(signal))) return work()
    try {
      return await work()
    } finally {
      const next = this.#queue.shift()
      if (next) next()
      else this.#working--
    }
  }

  /** Resolves to true when a turn was handed over, to false when the signal aborted before. */
  #wait(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const go = () => {
        signal.removeEventListener('abort', leave)
        resolve(true)
      }
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(go), 1)
        resolve(false)
      }
      this.#queue.push(go)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
}
