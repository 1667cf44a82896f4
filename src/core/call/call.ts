import type { Preview } from '../tool/prepared.ts'
import type { RegisteredTool } from '../tool/snapshot.ts'

declare const VALID: unique symbol
declare const CLEARED: unique symbol

/** A call that names a tool we have and whose arguments are plain data. Made only by parse.ts. */
export interface RawCall {
  readonly id: string
  readonly session: string
  readonly entry: RegisteredTool
  readonly arguments: Readonly<Record<string, unknown>>
}

/** A call whose arguments fit the tool's schema. Made only by validate.ts. */
export interface ValidCall {
  readonly id: string
  readonly session: string
  readonly entry: RegisteredTool
  /** What the caller sent, repaired where needed: frozen JSON data. Parsing it again must give the same `input`. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** What the tool gets: the arguments themselves, or what the author's schema (Zod, any Standard Schema) made of them. Plain data in it is frozen all the way down. */
  readonly input: unknown
  /** What people and the log see: `input` where it is an object that JSON can carry, else `arguments`. */
  readonly shown: Readonly<Record<string, unknown>>
  readonly [VALID]: true
}

/** A call that may happen: allowed by the rules or by a person. Made only by approve.ts. */
export interface ClearedCall extends ValidCall {
  /** Who allowed it: `rule NAME`, `grant ID`, `default (effect read)`, `tool approval`; where somebody was asked `person (INTERFACE)`, `approver` or `program`; or the name that came with a decision made beforehand, such as `--yes`. */
  readonly clearedBy: string
  readonly expects: Readonly<Record<string, string | null>>
  /** Its command lines cannot work without reaching another machine. */
  readonly needsNetwork: boolean
  /** Where somebody approved it: the paths that the approval request named as written or deleted. */
  readonly approvedPaths?: readonly string[]
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
  /** Whose word `rule` stands for: that of a rule, of the tool itself, or of what holds where neither speaks. */
  readonly settledBy: 'rule' | 'tool' | 'default'
  /** The grant that allowed it: its use is counted before it counts. */
  readonly grant?: string | undefined
  readonly preview: Preview | undefined
  readonly expects: Readonly<Record<string, string | null>>
  /** Its command lines cannot work without reaching another machine. */
  readonly needsNetwork: boolean
}
