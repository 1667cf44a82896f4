import { END_TOKENS, HEADER_TOKENS, isMessageEnd, readTurnHeader } from './control-tokens.ts'
import { lineStartBefore } from './fences.ts'
import type { Mark } from './marks.ts'
import { type Scan, type Step, textUntil } from './scan.ts'

/** The longest header of a turn. */
const MAX_HEADER = 60

/** Drops tokens that begin and end turns; stops where the model goes on in the name of somebody else. */
export function* scanControl(scan: Scan, { at, token }: Mark): Step {
  const { source, state, isFinal } = scan
  const { text } = source
  const end = at + token.length
  if (END_TOKENS.includes(token)) {
    const isEnd = isMessageEnd(text, end, isFinal)
    if (isEnd === 'unknown') return true
    if (!isEnd) return yield* textUntil(scan, end)
    state.at = end
    return false
  }
  const isAfterToken = /[>\]]\s?$/.test(text.slice(Math.max(0, at - 2), at))
  if (state.hasText && !isAfterToken && lineStartBefore(text, at) === undefined) return yield* textUntil(scan, end)
  if (!HEADER_TOKENS.includes(token)) {
    state.at = end
    return false
  }
  if (!isFinal && text.length - end < MAX_HEADER) return true
  const header = readTurnHeader(text, at, token)
  if (header === undefined) return yield* textUntil(scan, end)
  if (header.isAssistant || !(state.hasText || state.hasCalls)) {
    state.at = header.end
    return false
  }
  state.isOver = true
  yield { kind: 'turn-over' }
  return true
}
