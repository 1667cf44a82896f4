/** From so many lines or characters on, a pasted text is shown by a placeholder. */
const LINES = 6
const CHARACTERS = 800

/** Pasted texts, each shown in the prompt by a placeholder of one line and sent in full. */
export class Pastes {
  readonly #texts = new Map<string, string>()

  /** Returns what the prompt shows for a pasted text: the text itself if it is short. */
  take(text: string): string {
    const lines = text.replace(/\n$/, '').split('\n').length
    if (lines < LINES && text.length < CHARACTERS) return text
    const size =
      lines < LINES ? `${text.length.toLocaleString('en-US')} characters` : `${lines.toLocaleString('en-US')} lines`
    const placeholder = `[Pasted #${this.#texts.size + 1}: ${size}]`
    this.#texts.set(placeholder, text)
    return placeholder
  }

  /** Returns a text with the pasted ones in place of their placeholders. */
  expand(text: string): string {
    return text.replace(/\[Pasted #\d+: [^\]\n]*\]/g, (placeholder) => this.#texts.get(placeholder) ?? placeholder)
  }

  /** Returns the placeholder that ends at a position, if there is one: it is deleted as a whole. */
  endingAt(text: string, position: number): string | undefined {
    const [found] = /\[Pasted #\d+: [^\]\n]*\]$/.exec(text.slice(0, position)) ?? []
    return found !== undefined && this.#texts.has(found) ? found : undefined
  }
}
