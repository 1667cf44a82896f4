import type { OfferedTools } from '../calls/offered-tools.ts'
import type { PrintedCall } from '../calls/printed-call.ts'

/** A message that is read, and the tools that its calls may name. */
export interface Source {
  readonly text: string
  readonly tools: OfferedTools
  /** How many characters may still be searched for the ends of values; keeps hostile input from taking quadratic time. */
  readonly search: { left: number }
}

/** What a piece of markup holds. */
export interface Markup {
  readonly calls: readonly PrintedCall[]
  readonly end: number
  /** Text that stays visible, and reasoning, where a family wraps them in markup too. */
  readonly text?: string
  readonly reasoning?: string
  /** A further call was cut off after these. */
  readonly isCut?: boolean
  /** Slips that were tolerated, one sentence each. */
  readonly repairs?: readonly string[]
}

/** `cut`: the message ended inside a call. `none`: the marker is mentioned and no call follows. */
export type MarkupReading = Markup | 'cut' | 'none'

/** A family of models that marks its calls in the same way. */
export interface Family {
  readonly name: string
  /** The texts that a call can begin with. */
  readonly openers: readonly string[]
  /** Openers count only as the first thing on their line. */
  readonly startsLine?: boolean
  /** Reads the markup whose opener stands at `at`. */
  read(source: Source, at: number, opener: string): MarkupReading
}

/** Makes what the readers of families share. */
export function openSource(text: string, tools: OfferedTools): Source {
  return { text, tools, search: { left: 20 * text.length + 100_000 } }
}
