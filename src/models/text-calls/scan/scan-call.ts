import { resolveCalls } from '../calls/resolve-calls.ts'
import type { Family, Markup } from '../families/family.ts'
import { skipSpace } from '../literals/reading.ts'
import { lineStartBefore } from './fences.ts'
import type { Mark } from './marks.ts'
import { isQuoted } from './quotations.ts'
import { type Scan, type Segment, type Step, textUntil } from './scan.ts'

/** Reads the markup of a family; a mention, a quotation and a call of a tool that is not offered stay text. */
export function* scanCall(scan: Scan, { at, token }: Mark, family: Family): Step {
  const { source, state, isFinal } = scan
  const { text } = source
  const after = at + token.length
  if (family.startsLine && lineStartBefore(text, at) === undefined) return yield* textUntil(scan, after)
  const reading = family.read(source, at, token)
  if (reading === 'none') return isSettled(scan, { at, token }, family) ? yield* textUntil(scan, after) : true
  const isCut = reading === 'cut'
  const end = isCut ? text.length : reading.end
  if (!isFinal && (isCut || reading.isCut || text.length - end < MARGIN)) return true
  const isQuotation = (isCut || reading.calls.length > 0) && isQuoted(text, at, end)
  if (isQuotation === 'unknown' && !isFinal) return true
  if (isQuotation === true) return yield* textUntil(scan, isCut ? after : end)
  if (!isCut) return yield* giveMarkup(scan, reading, family.name)
  // A marker at the end of a sentence is a mention; on a line of its own it began a call.
  const isMention = skipSpace(text, after) >= text.length && lineStartBefore(text, at) === undefined && state.hasText
  if (isMention) return yield* textUntil(scan, end)
  yield { kind: 'cut', family: family.name }
  state.at = text.length
  return true
}

/** The longest piece of markup that a reader takes for something else, or for the end, while it is not complete. */
const MARGIN = 64

/** True when no further text can make a call of what a reader refused: without the last characters it refuses it too. */
function isSettled({ source, isFinal }: Scan, { at, token }: Mark, family: Family): boolean {
  if (isFinal) return true
  const text = source.text.slice(0, -MARGIN)
  return text.length >= at + token.length && family.read({ ...source, text }, at, token) === 'none'
}

function* giveMarkup(scan: Scan, markup: Markup, family: string): Step {
  const { source, state } = scan
  const { calls, others, repairs } = resolveCalls(markup.calls, source.tools)
  const isText = markup.calls.length > 0 && (calls.length === 0 || state.hasOpenMention)
  if (isText) yield* textUntil(scan, markup.end)
  else {
    state.at = markup.end
    yield* giveParts(scan, markup)
    for (const { start, end } of others) yield { kind: 'text', text: source.text.slice(start, end) }
    if (calls.length > 0) {
      state.hasCalls = true
      state.isAfterCalls = true
      yield { kind: 'calls', calls, family, repairs: [...(markup.repairs ?? []), ...repairs] }
    }
  }
  if (markup.isCut) yield { kind: 'cut', family }
  return false
}

function* giveParts({ state }: Scan, { text, reasoning }: Markup): Generator<Segment> {
  if (reasoning !== undefined) yield { kind: 'reasoning', text: reasoning }
  if (text === undefined || text === '') return
  state.hasText ||= text.trim() !== ''
  yield { kind: 'text', text }
}
