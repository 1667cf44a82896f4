import { FAMILY_OF } from '../families/families.ts'
import { CLOSERS } from '../families/tagged.ts'
import { findAt, isCutMarker, skipSpace } from '../literals/reading.ts'
import { closeFence } from './fences.ts'
import { isCodeMark, type Mark, nextMark, settledEnd } from './marks.ts'
import { findReasoningEnd, reasoningClosedBy, reasoningOpenedBy } from './reasoning.ts'
import { type Scan, type Segment, type Step, textUntil } from './scan.ts'
import { scanCall } from './scan-call.ts'
import { scanCode } from './scan-code.ts'
import { scanControl } from './scan-control.ts'
import { scanReasoning, scanReasoningEnd, scanReasoningText } from './scan-reasoning.ts'

/** Splits a message into text, reasoning and calls. Takes linear time. */
export function* scanMessage(scan: Scan): Generator<Segment> {
  const { source, state, isFinal } = scan
  const { text } = source
  if (state.isOver) state.at = text.length
  while (state.at < text.length || (isFinal && state.reasoning !== undefined)) {
    if (state.fence !== undefined) {
      if (yield* scanFence(scan, state.fence)) return
      continue
    }
    if (state.reasoning !== undefined) {
      if (yield* scanReasoningText(scan, state.reasoning)) return
      continue
    }
    if (state.isAfterCalls && !skipClosers(scan)) return
    const mark = nextMark(text, state.at)
    yield* textUntil(scan, mark?.at ?? (isFinal ? text.length : settledEnd(text, state.at)))
    if (mark === undefined || (yield* scanMark(scan, mark))) return
  }
}

function scanMark(scan: Scan, mark: Mark): Step {
  if (isCodeMark(mark)) return scanCode(scan, mark)
  const family = FAMILY_OF.get(mark.token)
  if (family !== undefined) return scanCall(scan, mark, family)
  const opened = reasoningOpenedBy(mark.token)
  if (opened !== undefined) return scanReasoning(scan, mark.at, opened)
  if (reasoningClosedBy(mark.token) !== undefined) return scanReasoningEnd(scan, mark)
  return scanControl(scan, mark)
}

/** Gives out the lines of an open fence. */
function* scanFence(scan: Scan, marks: string): Step {
  const { source, state, isFinal } = scan
  const { text } = source
  const close = closeFence(text, state.at, marks)
  const reasoningEnd = findReasoningEnd(text, state.at, close?.at ?? text.length)
  if (reasoningEnd !== undefined) {
    state.fence = undefined
    return yield* textUntil(scan, reasoningEnd)
  }
  if (close !== undefined && (isFinal || close.end < text.length)) {
    state.fence = undefined
    return yield* textUntil(scan, close.end)
  }
  yield* textUntil(scan, isFinal ? text.length : Math.max(state.at, text.lastIndexOf('\n') + 1))
  return true
}

/** Passes over end markers that are left after calls; false when more text must arrive first. */
function skipClosers({ source, state, isFinal }: Scan): boolean {
  const { text } = source
  for (;;) {
    const next = skipSpace(text, state.at)
    const closer = findAt(text, next, CLOSERS)
    if (closer === undefined) {
      const mayCome = next >= text.length || CLOSERS.some((one) => isCutMarker(text, next, one))
      if (!isFinal && mayCome) return false
      state.isAfterCalls = false
      return true
    }
    state.at = next + closer.length
  }
}
