import { isCutMarker } from '../literals/reading.ts'
import type { Mark } from './marks.ts'
import { isMention, isPairMention, type ReasoningMarks } from './reasoning.ts'
import { type Scan, type Step, textUntil } from './scan.ts'

/** How far a mark that looks like a word of a sentence may stand from its closing mark to be one of reasoning after all. */
const MENTION_REACH = 2000

/** Takes reasoning out of the message; reasoning that is never closed goes on to the end. */
export function* scanReasoning(scan: Scan, at: number, { open, close }: ReasoningMarks): Step {
  const { source, state, isFinal } = scan
  const { text } = source
  const start = at + open.length
  if (!isFinal && text.length - start < 2) return true
  if (isMention(text, at, open)) {
    const reach = text.slice(start, start + MENTION_REACH)
    const end = reach.indexOf(close)
    if (end === -1 && !isFinal && reach.length < MENTION_REACH) return true
    if (end === -1) {
      state.hasOpenMention = true
      return yield* textUntil(scan, start)
    }
    if (isPairMention(reach.slice(0, end))) return yield* textUntil(scan, start + end + close.length)
  }
  state.reasoning = close
  state.at = start
  return yield* scanReasoningText(scan, close)
}

/** Gives out reasoning up to its closing mark. */
export function* scanReasoningText({ source, state, isFinal }: Scan, close: string): Step {
  const { text } = source
  const end = text.indexOf(close, state.at)
  const settled = end !== -1 ? end : isFinal ? text.length : beforePart(text, close)
  if (settled > state.at) yield { kind: 'reasoning', text: text.slice(state.at, settled) }
  state.at = Math.max(state.at, end === -1 ? settled : end + close.length)
  if (end === -1 && isFinal) yield { kind: 'cut', family: 'reasoning' }
  if (end === -1) return true
  state.reasoning = undefined
  return false
}

/** Where the text ends that cannot be the beginning of a mark. */
function beforePart(text: string, mark: string): number {
  for (let at = Math.max(0, text.length - mark.length); at < text.length; at++)
    if (isCutMarker(text, at, mark)) return at
  return text.length
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
