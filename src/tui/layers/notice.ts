/** How long keys are dropped after something appears that asks the person, in milliseconds. */
const NOTICE = 400

/** The time a person needs to notice that they are asked: a word that they are typing must not be the answer. */
export class Notice {
  #shownAt: number | undefined

  /** To be called whenever it is drawn; the first time counts. */
  begin(): void {
    this.#shownAt ??= performance.now()
  }

  get isOver(): boolean {
    return this.#shownAt !== undefined && performance.now() - this.#shownAt >= NOTICE
  }
}
