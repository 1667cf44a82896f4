import { wholeCharacterEnd } from '../../core/ports/outputs.ts'
import { MaskedStream, type StreamSecrets } from '../../core/secrets/mask-stream.ts'
import type { EventBody } from '../../core/session/event.ts'

/** The most characters that a call can stream. Later output is dropped, and one note says so. */
const MAX_STREAMED = 10_000_000

/** The most characters of output kept for the result of a call that was stopped. */
const MAX_PARTIAL = 50_000

/** The call that the output belongs to. */
export interface OutputOwner {
  readonly session: string
  readonly call: string
  emit(body: EventBody): void
  /** Returns the secrets to mask; called with the first piece. */
  secrets(): StreamSecrets
}

/** The output of a running call. Emits each piece as an event, with secrets masked and its offset in the stream. */
export class CallOutput {
  readonly #owner: OutputOwner
  #stream: MaskedStream | undefined
  /** How many characters were received, and how many were emitted. */
  #taken = 0
  #offset = 0
  #partial = ''
  #takenAtReminder = 0
  #isEnded = false

  constructor(owner: OutputOwner) {
    this.#owner = owner
  }

  /** The end of the output so far, unmasked. */
  get partial(): string {
    return this.#partial
  }

  /** False once output was dropped because of the limit. */
  get hasStreamedAll(): boolean {
    return this.#taken < MAX_STREAMED
  }

  /** Adds a piece. Ignored after the end. */
  add(text: string): void {
    if (this.#isEnded || text === '' || this.#taken >= MAX_STREAMED) return
    const piece = text.slice(0, wholeCharacterEnd(text, MAX_STREAMED - this.#taken))
    this.#taken += piece.length
    this.#partial = (this.#partial + piece).slice(-MAX_PARTIAL)
    this.#stream ??= new MaskedStream(this.#owner.secrets())
    this.#send(this.#stream.push(piece))
    if (this.#taken < MAX_STREAMED) return
    this.#send(`${this.#stream.end()}\n[more output follows; it is not streamed]\n`)
  }

  /** Emits the text that was held back, and ends the output. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    if (this.#stream) this.#send(this.#stream.end())
  }

  /** Emits an event that the tool is still running, if there was no output since the last call. */
  remind(seconds: number): void {
    const { session, call, emit } = this.#owner
    if (this.#taken === this.#takenAtReminder) emit({ type: 'call-progress', session, call, seconds })
    this.#takenAtReminder = this.#taken
  }

  #send(text: string): void {
    if (text === '') return
    const { session, call, emit } = this.#owner
    emit({ type: 'call-delta', session, call, text, offset: this.#offset })
    this.#offset += text.length
  }
}
