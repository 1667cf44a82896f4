import type { ModelCall, ToolDefinition } from '../../core/ports/model.ts'
import { readBareForms } from './bare/read-bare-forms.ts'
import { offerTools } from './calls/offered-tools.ts'
import { openSource, type Source } from './families/family.ts'
import { nextMark } from './scan/marks.ts'
import { openScan, type Segment, startState } from './scan/scan.ts'
import { scanMessage } from './scan/scan-message.ts'
import { joinVisible } from './visible-pieces.ts'

/** What a reply says, read as text. */
export interface TextReading {
  /** In order. Names are wire names of offered tools. Arguments are objects. */
  readonly calls: readonly ModelCall[]
  /** What stays visible. */
  readonly text: string
  readonly reasoning?: string
  /** A call was cut off before its arguments were closed. */
  readonly isIncomplete: boolean
  /** Each reading and each repair, one plain sentence. */
  readonly repairs: readonly string[]
}

/**
 * Reads the calls that a model printed into its text, because its server did not parse them. Never throws.
 * A call runs in a family's own markup outside code and quotations, or when nothing else is in the message, or after a sentence
 * in which the assistant says that it acts now. A call that was cut off never runs.
 */
export function readTextCalls(text: string, tools: readonly ToolDefinition[]): TextReading {
  const source = openSource(text, offerTools(tools))
  const plain = readBeforeMarks(text, source)
  if (plain !== undefined) return plain
  const parts = startParts()
  for (const segment of scanMessage(openScan(source, startState(), true))) take(parts, segment)
  const thoughts = parts.reasoning.map((one) => one.trim()).filter((one) => one !== '')
  const reasoning = thoughts.length === 0 ? {} : { reasoning: thoughts.join('\n\n') }
  const visible = joinVisible(parts.pieces)
  const bare = parts.calls.length === 0 && !parts.isIncomplete ? readBareForms(visible, source) : undefined
  if (bare === undefined) {
    const { calls, isIncomplete, repairs } = parts
    return { calls, text: visible, ...reasoning, isIncomplete, repairs: [...repairs] }
  }
  if (bare.calls.length > 0) parts.repairs.add(readSentence(bare.calls, NO_MARKUP))
  for (const sentence of bare.repairs) parts.repairs.add(sentence)
  if (bare.isCut) parts.repairs.add(cutSentence(NO_MARKUP))
  return { calls: bare.calls, text: bare.text, ...reasoning, isIncomplete: bare.isCut, repairs: [...parts.repairs] }
}

/** Reads a bare object or list of calls that no mark stands before: marks inside its strings are data. Undefined where there is none, or where it holds no mark, so that the scan reads the same. */
function readBeforeMarks(text: string, source: Source): TextReading | undefined {
  if (nextMark(text, 0) === undefined) return undefined
  const bare = readBareForms(text, source)
  if (bare === undefined || bare.calls.length === 0 || bare.isCut) return undefined
  const isObject = /^\s*[{[]/.test(text.slice(bare.text.length))
  if (!isObject || nextMark(bare.text, 0) !== undefined) return undefined
  return {
    calls: bare.calls,
    text: bare.text,
    isIncomplete: false,
    repairs: [readSentence(bare.calls, NO_MARKUP), ...bare.repairs],
  }
}

/** What the segments of a message add up to. */
interface Parts {
  calls: ModelCall[]
  /** What stays visible; an empty piece stands where something was removed. */
  pieces: string[]
  reasoning: string[]
  isIncomplete: boolean
  repairs: Set<string>
}

function startParts(): Parts {
  return { calls: [], pieces: [], reasoning: [], isIncomplete: false, repairs: new Set() }
}

function take(parts: Parts, segment: Segment): void {
  parts.pieces.push(segment.kind === 'text' ? segment.text : '')
  if (segment.kind === 'reasoning') parts.reasoning.push(segment.text)
  else if (segment.kind === 'calls') {
    for (const call of segment.calls) parts.calls.push(call)
    parts.repairs.add(readSentence(segment.calls, segment.family))
    for (const sentence of segment.repairs) parts.repairs.add(sentence)
  } else if (segment.kind === 'reasoning-closed') {
    // Everything before was reasoning, calls included.
    const { pieces, reasoning } = parts
    reasoning.push(joinVisible(pieces))
    Object.assign(parts, { ...startParts(), reasoning })
  } else if (segment.kind === 'cut') {
    parts.isIncomplete = true
    parts.repairs.add(cutSentence(segment.family))
  } else if (segment.kind === 'turn-over') parts.repairs.add(TURN_OVER)
}

const NO_MARKUP = 'no markup'
const TURN_OVER = 'Dropped what the model wrote in the name of somebody else after its own turn.'
/** How many names a sentence lists. */
const MAX_NAMES = 10

function readSentence(calls: readonly ModelCall[], family: string): string {
  const names = calls.slice(0, MAX_NAMES).map(({ name }) => name)
  const count = calls.length === 1 ? 'a call' : `${calls.length} calls`
  return `Read ${count} printed as text (${family}): ${names.join(', ')}${calls.length > MAX_NAMES ? ' …' : ''}.`
}

function cutSentence(family: string): string {
  if (family === 'reasoning') return 'The reply ended inside its reasoning.'
  return `A call printed as text (${family}) was cut off and does not run.`
}
