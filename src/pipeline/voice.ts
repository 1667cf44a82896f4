import type { ValidCall } from '../core/call.ts'
import type { EventBody } from '../core/event.ts'
import { wholeCharacterEnd } from '../core/outputs.ts'

/** How much a call may stream, in characters; what comes after is dropped, and said once. */
const MAX_STREAMED = 10_000_000

/** How much of what was streamed is kept for the result of a call that was stopped. */
const MAX_PARTIAL = 50_000

/** A running tool's way to speak: every delta an event, none after the end. */
export interface Voice {
  delta(text: string): void
  /** The end of what was said so far. */
  said(): string
  close(): void
}

/** Makes the voice of one call. */
export function createVoice({ session, id }: ValidCall, emit: (body: EventBody) => void): Voice {
  let open = true
  let streamed = 0
  let tail = ''
  const delta = (text: string): void => {
    if (!open || text === '' || streamed >= MAX_STREAMED) return
    const piece = String(text).slice(0, wholeCharacterEnd(text, MAX_STREAMED - streamed))
    streamed += piece.length
    tail = (tail + piece).slice(-MAX_PARTIAL)
    emit({ type: 'call-delta', session, call: id, text: piece })
    if (streamed >= MAX_STREAMED)
      emit({ type: 'call-delta', session, call: id, text: '\n[more output follows; it is not streamed]\n' })
  }
  return {
    delta,
    said: () => tail,
    close: () => {
      open = false
    },
  }
}
