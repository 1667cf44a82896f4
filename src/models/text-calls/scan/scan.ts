import type { ModelCall } from '../../../core/ports/model.ts'
import type { Source } from '../families/family.ts'
import { type CodeSpans, findCodeSpans } from './code-spans.ts'

/** A part of a message. */
export type Segment =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | CallsSegment
  /** All that came before was reasoning: its opening mark stood in the prompt. */
  | { readonly kind: 'reasoning-closed' }
  /** A call, or reasoning, that the end of the message cut off. */
  | { readonly kind: 'cut'; readonly family: string }
  /** The model went on in somebody else's name; the rest is dropped. */
  | { readonly kind: 'turn-over' }

/** Calls in the markup of a family. */
export interface CallsSegment {
  readonly kind: 'calls'
  readonly calls: readonly ModelCall[]
  readonly family: string
  readonly repairs: readonly string[]
}

/** How far a message was read. */
export interface ScanState {
  at: number
  /** Text up to here was given out, though what it is part of is not settled. */
  shown: number
  /** The marks of a code fence that is open. */
  fence: string | undefined
  /** The closing mark of reasoning that is given out as it arrives. */
  reasoning: string | undefined
  /** Something other than white space was given out as text. */
  hasText: boolean
  hasCalls: boolean
  /** The last thing read were calls; end markers that follow belong to them. */
  isAfterCalls: boolean
  /** An unclosed mark of reasoning was taken for a mention: calls after it do not count. */
  hasOpenMention: boolean
  /** The model went on in somebody else's name; nothing more is read. */
  isOver: boolean
}

/** One pass over a message, or over as much of it as has arrived. */
export interface Scan {
  readonly source: Source
  readonly state: ScanState
  /** False while more text may come: the scan stops before what it could change. */
  readonly isFinal: boolean
  readonly spans: CodeSpans
}

/** The segments of one step. The value is true when the scan must stop there. */
export type Step = Generator<Segment, boolean>

export function startState(): ScanState {
  return {
    at: 0,
    shown: 0,
    fence: undefined,
    reasoning: undefined,
    hasText: false,
    hasCalls: false,
    isAfterCalls: false,
    hasOpenMention: false,
    isOver: false,
  }
}

export function openScan(source: Source, state: ScanState, isFinal: boolean): Scan {
  return { source, state, isFinal, spans: findCodeSpans(source.text) }
}

/** Gives out the text up to a place, and goes on from there. */
export function* textUntil(scan: Scan, end: number): Step {
  yield* showUntil(scan, end)
  scan.state.at = Math.max(scan.state.at, end)
  return false
}

/** Gives out the text up to a place without going on. */
export function* showUntil({ source, state }: Scan, end: number): Generator<Segment> {
  const start = Math.max(state.at, state.shown)
  if (end <= start) return
  const text = source.text.slice(start, end)
  state.shown = end
  state.hasText ||= text.trim() !== ''
  yield { kind: 'text', text }
}
