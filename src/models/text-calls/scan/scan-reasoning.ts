import type { Mark } from './marks.ts'
import { isMention, isPairMention, type ReasoningMarks } from './reasoning.ts'
import { type Scan, type Step, textUntil } from './scan.ts'

/** Takes reasoning out of the message; reasoning that is never closed goes on to the end. */
export function* scanReasoning(scan: Scan, at: number, { open, close }: ReasoningMarks): Step {
  const { source, state, isFinal, missing } = scan
  const { text } = source
  const start = at + open.length
  const end = missing.has(close) ? -1 : text.indexOf(close, start)
  if (end === -1) {
    missing.add(close)
    return isFinal ? yield* scanUnclosed(scan, at, open) : true
  }
  if (isMention(text, at, open) && isPairMention(text.slice(start, Math.min(end, start + 30))))
    return yield* textUntil(scan, end + close.length)
  yield { kind: 'reasoning', text: text.slice(start, end) }
  state.at = end + close.length
  return false
}

function* scanUnclosed(scan: Scan, at: number, open: string): Step {
  const { source, state } = scan
  const start = at + open.length
  if (isMention(source.text, at, open)) {
    state.hasOpenMention = true
    return yield* textUntil(scan, start)
  }
  yield { kind: 'reasoning', text: source.text.slice(start) }
  yield { kind: 'cut', family: 'reasoning' }
  state.at = source.text.length
  return true
}

/** Handles a closing mark that nothing opened: all before it was reasoning, unless the mark is a word of a sentence. */
export function* scanReasoningEnd(scan: Scan, { at, token }: Mark): Step {
  const { source, state, isFinal } = scan
  const end = at + token.length
  if (!isFinal && end + 1 >= source.text.length) return true
  // After a call the careful reading is that the call was reasoning.
  if (!state.hasCalls && isMention(source.text, at, token)) return yield* textUntil(scan, end)
  state.at = end
  state.hasCalls = false
  state.hasText = false
  yield { kind: 'reasoning-closed' }
  return false
}
