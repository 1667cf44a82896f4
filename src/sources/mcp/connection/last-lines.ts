/** How much of a server's error output is kept, in characters. */
const MAX_KEPT = 8_000

/** Keeps the end of a text that may be endless. */
export class LastLines {
  #text = ''

  add(text: string): void {
    this.#text = (this.#text + text).slice(-MAX_KEPT)
  }

  get text(): string {
    return this.#text.trim()
  }
}
