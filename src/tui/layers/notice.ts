/** How long keys are dropped after something appears that asks the person, in milliseconds. */
const NOTICE = 400

/** The time a person needs to notice that they are asked: a word that they are typing must not be the answer. */
export class Notice {
  #isBegun = false
  #isOver = false

  /** To be called whenever it is drawn; the first time counts. `over` is called when the time is over, to draw the keys that count from then on. */
  begin(over: () => void): void {
    if (this.#isBegun) return
    this.#isBegun = true
    setTimeout(() => {
      this.#isOver = true
      over()
    }, NOTICE).unref()
  }

  get isOver(): boolean {
    return this.#isOver
  }
}
