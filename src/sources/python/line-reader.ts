/** The longest line that is taken, in characters: somewhat more than the largest result that the host sends. */
const MAX_LINE = 140_000_000

/** Splits text that comes in pieces into lines. */
export class LineReader {
  readonly #onLine: (line: string) => void
  readonly #onFlood: () => void
  #pieces: string[] = []
  #length = 0

  /** `onFlood` is called when a line is longer than any honest one; nothing is read after that. */
  constructor(onLine: (line: string) => void, onFlood: () => void) {
    this.#onLine = onLine
    this.#onFlood = onFlood
  }

  /** Takes the next piece. Looks for line ends in it alone, so that a long line costs no more than its length. */
  add(piece: string): void {
    let from = 0
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', from)) {
      const last = piece.slice(from, end)
      from = end + 1
      if (this.#length === 0) this.#onLine(last)
      else {
        const line = this.#pieces.join('') + last
        this.#forget()
        this.#onLine(line)
      }
    }
    if (from < piece.length) this.#keep(piece.slice(from))
  }

  #keep(rest: string): void {
    this.#length += rest.length
    if (this.#length <= MAX_LINE) this.#pieces.push(rest)
    else {
      this.#forget()
      this.#onFlood()
    }
  }

  #forget(): void {
    this.#pieces = []
    this.#length = 0
  }
}
