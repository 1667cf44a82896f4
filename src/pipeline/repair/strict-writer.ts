/** What the next token of an object or array may be. */
type Slot = 'key' | 'colon' | 'value' | 'comma'

interface Frame {
  readonly close: string
  slot: Slot
}

/** What a token can be: only a key, a key or a value (a string), or only a value. */
type Role = 'key' | 'text' | 'value'

/** Writes the tokens of malformed JSON as JSON: adds missing commas and colons, drops trailing ones. Methods return the problem if a token does not fit. */
export class StrictWriter {
  /** Keys and strings, in order. */
  readonly texts: string[] = []
  /** True if a comma or colon was missing, or strings were joined. */
  isJoined = false
  readonly #pieces: string[] = []
  readonly #open: Frame[] = []
  #comma = ''
  /** True if the last token is a string. */
  #isText = false

  /** How many brackets are open, and which character closes the last. */
  get missing(): { readonly count: number; readonly close: string } {
    return { count: this.#open.length, close: this.#open.at(-1)?.close ?? '' }
  }

  /** True after a colon, and where an array element is expected. */
  get isAtValue(): boolean {
    return this.#open.at(-1)?.slot === 'value'
  }

  get json(): string {
    return this.#pieces.join('')
  }

  text(value: string, role: 'key' | 'text' = 'text'): string | undefined {
    const frame = this.#open.at(-1)
    if (frame?.close === ']' && frame.slot === 'comma' && this.#isText) return 'a comma is missing between two strings'
    this.texts.push(value)
    const problem = this.#place(JSON.stringify(value), role)
    this.#isText = true
    return problem
  }

  /** Appends to the last string. */
  join(value: string): undefined {
    this.isJoined = true
    this.texts.push((this.texts.pop() ?? '') + value)
    const last = this.#pieces.pop() ?? '""'
    this.#pieces.push(last.slice(0, -1), JSON.stringify(value).slice(1))
  }

  value(word: string): string | undefined {
    return this.#place(word, 'value')
  }

  open(bracket: '{' | '['): string | undefined {
    const problem = this.#open.length === 0 ? undefined : this.#place(bracket, 'value')
    if (this.#open.length === 0) this.#pieces.push(bracket)
    this.#open.push(bracket === '{' ? { close: '}', slot: 'key' } : { close: ']', slot: 'value' })
    return problem
  }

  close(bracket: string): string | undefined {
    const frame = this.#open.pop()
    if (frame?.close !== bracket) return `there is one "${bracket}" too many, or another closing bracket is missing`
    if (frame.slot === 'colon' || (frame.slot === 'value' && bracket === '}'))
      return `a value is missing before a "${bracket}"`
    this.#isText = false
    this.#comma = ''
    this.#pieces.push(bracket)
    return undefined
  }

  colon(): string | undefined {
    const frame = this.#open.at(-1)
    if (frame?.slot !== 'colon') return 'a key is missing before a ":"'
    this.#pieces.push(':')
    frame.slot = 'value'
    return undefined
  }

  comma(): string | undefined {
    const frame = this.#open.at(-1)
    if (frame?.slot !== 'comma') return 'a value is missing before a ","'
    this.#comma = ','
    frame.slot = frame.close === '}' ? 'key' : 'value'
    return undefined
  }

  #place(piece: string, role: Role): string | undefined {
    const frame = this.#open.at(-1)
    if (frame === undefined) return 'it is not an object'
    if (frame.slot === 'comma') {
      this.isJoined = true
      this.comma()
    }
    if (frame.slot === 'key' ? role === 'value' : role === 'key')
      return `${frame.slot === 'key' ? 'a key' : 'a value'} is missing before ${piece.slice(0, 40)}`
    if (frame.slot === 'colon') {
      this.isJoined = true
      this.colon()
    }
    this.#isText = false
    this.#pieces.push(this.#comma, piece)
    this.#comma = ''
    frame.slot = frame.slot === 'key' ? 'colon' : 'comma'
    return undefined
  }
}
