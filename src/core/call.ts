import type { RegisteredTool } from './snapshot.ts'
import type { Preview } from './tool.ts'

declare const VALID: unique symbol
declare const CLEARED: unique symbol

/** A call that names a tool we have and whose arguments are plain data. Made only by parse.ts. */
export interface RawCall {
  readonly id: string
  readonly session: string
  readonly entry: RegisteredTool
  readonly arguments: unknown
}

/** A call whose arguments fit the tool's schema; `input` is frozen all the way down. Made only by validate.ts. */
export interface ValidCall {
  readonly id: string
  readonly session: string
  readonly entry: RegisteredTool
  readonly input: Readonly<Record<string, unknown>>
  readonly [VALID]: true
}

/** A call that may happen: allowed by the rules or by a person. Made only by approve.ts. */
export interface ClearedCall extends ValidCall {
  /** Who cleared it: a rule's name, the tool, its effect, or a person. */
  readonly clearedBy: string
  readonly expects: Readonly<Record<string, string | null>>
  /** Its command lines cannot work without reaching another machine. */
  readonly needsNetwork: boolean
  /** What was proposed, where a person put other arguments in its place. */
  readonly proposed?: unknown
  readonly [CLEARED]: true
}

/** A valid call with everything that was learned before the line. */
export interface PreparedCall {
  readonly call: ValidCall
  readonly decision: 'allow' | 'ask'
  readonly rule: string
  readonly reason: string
  /** The grant that allowed it: its use is counted before it counts. */
  readonly grant?: string | undefined
  readonly preview: Preview | undefined
  readonly expects: Readonly<Record<string, string | null>>
  /** Its command lines cannot work without reaching another machine. */
  readonly needsNetwork: boolean
}
