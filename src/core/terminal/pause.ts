/** How long no key must have been pressed before a question takes one, in milliseconds. */
const PAUSE = 700

/** Tells a key that answers a question from one of a person who was typing when it appeared: a key counts only after a pause. */
export class Pause {
  readonly #over: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #isOver = false

  /** `over` is called whenever the question takes keys from then on. */
  constructor(over: () => void) {
    this.#over = over
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** To be called when the question is shown; the first time counts. */
  begin(): void {
    if (this.#timer === undefined) this.restart()
  }

  /** Begins anew: a key was pressed, or the terminal was elsewhere. */
  restart(): void {
    clearTimeout(this.#timer)
    this.#isOver = false
    const timer = setTimeout(() => {
      // Keys may wait in the terminal that a busy process has not read yet. They are read before this runs.
      setImmediate(() => {
        if (this.#timer !== timer) return
        this.#isOver = true
        this.#over()
      })
    }, PAUSE)
    timer.unref()
    this.#timer = timer
  }
}
