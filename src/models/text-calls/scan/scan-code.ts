import { lineStartBefore, openFence } from './fences.ts'
import { isCodeMark, type Mark, nextMark, settledEnd } from './marks.ts'
import { findReasoningEnd } from './reasoning.ts'
import { type Scan, type Step, showUntil, textUntil } from './scan.ts'

/** Passes over inline code, and opens code fences: no call stands in them. */
export function* scanCode(scan: Scan, mark: Mark): Step {
  const { source, state, isFinal, spans } = scan
  const { text } = source
  const { at, token } = mark
  const end = at + token.length
  if (!isFinal && end >= text.length) return true
  const lineStart = token.length >= 3 ? lineStartBefore(text, at) : undefined
  if (lineStart !== undefined) {
    if (!isFinal && text.indexOf('\n', at) === -1) return true
    const fence = openFence(text, lineStart)
    if (fence !== undefined) {
      state.fence = fence.marks
      return yield* textUntil(scan, fence.content)
    }
  }
  if (token.startsWith('~')) return yield* textUntil(scan, end)
  const close = spans.endOf(at, token.length)
  // Backticks at the very end may be the beginning of a longer run, which closes nothing.
  const mayChange = close === undefined ? spans.mayEnd(at) : close >= text.length
  if (!isFinal && mayChange) return yield* showUnsettled(scan, end)
  const reasoningEnd = close === undefined ? undefined : findReasoningEnd(text, at, close)
  return yield* textUntil(scan, reasoningEnd ?? close ?? end)
}

/** Whether backticks begin code depends on what comes. Gives out what is text in either case: all before the next mark. */
function* showUnsettled(scan: Scan, from: number): Step {
  const { text } = scan.source
  let mark = nextMark(text, from)
  while (mark !== undefined && isCodeMark(mark)) mark = nextMark(text, mark.at + mark.token.length)
  yield* showUntil(scan, mark?.at ?? settledEnd(text, from))
  return true
}
