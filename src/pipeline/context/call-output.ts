import { wholeCharacterEnd } from '../../core/ports/outputs.ts'
import { MaskedStream, type StreamSecrets } from '../../core/secrets/mask-stream.ts'
import type { EventBody } from '../../core/session/event.ts'

/** How much a call may stream, in characters; what comes after is dropped, and a note says so once. */
const MAX_STREAMED = 10_000_000

/** How much of what was streamed is kept for the result of a call that was stopped. */
const MAX_PARTIAL = 50_000

/** Whose output it is. */
export interface OutputOwner {
  readonly session: string
  readonly call: string
  emit(body: EventBody): void
  /** The secrets that must not be shown; asked for with the first piece. */
  secrets(): StreamSecrets
}

/** What a call puts out while it runs: events with its pieces, secrets masked, each with its place in the stream. */
export class CallOutput {
  readonly #owner: OutputOwner
  #stream: MaskedStream | undefined
  /** How many characters came in, and how many went out masked. */
  #taken = 0
  #offset = 0
  #partial = ''
  #takenAtReminder = 0
  #isEnded = false

  constructor(owner: OutputOwner) {
    this.#owner = owner
  }

  /** The end of what came in so far, as it came. */
  get partial(): string {
    return this.#partial
  }

  /** False once something was not streamed since it was too much. */
  get hasStreamedAll(): boolean {
    return this.#taken < MAX_STREAMED
  }

  /** Takes a piece; nothing after the end. */
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

  /** Sends what was held back; from here on nothing is taken. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    if (this.#stream) this.#send(this.#stream.end())
  }

  /** Says that the tool is still at work, where nothing came since it was last asked. */
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
