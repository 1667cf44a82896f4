import type { Mode } from '../session/mode.ts'
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
  /** The mode of its session; `ask` when left out. */
  readonly mode?: Mode | undefined
}

/** A call whose arguments match the tool's schema. Made only by validate.ts. */
export interface ValidCall {
  readonly id: string
  readonly session: string
  readonly entry: RegisteredTool
  /** What the caller sent, repaired where needed: frozen JSON data. Parsing it again must give the same `input`. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** What the tool gets: the arguments, or what the author's schema (Zod, any Standard Schema) parsed them to. Plain data in it is deeply frozen. */
  readonly input: unknown
  /** What people and the log see: `input` if it is an object that JSON can represent, else `arguments`. */
  readonly shown: Readonly<Record<string, unknown>>
  /** The mode of its session; `ask` when left out. */
  readonly mode?: Mode
  readonly [VALID]: true
}

/** A call that may run: the rules or a person allowed it. Made only by approve.ts. */
export interface ClearedCall extends ValidCall {
  /** Who allowed it: `rule NAME`, `grant ID`, `default (effect read)`, `tool approval`; `person (INTERFACE)`, `approver` or `program` if an approver was asked; or the name given with a preset decision, such as `--yes`. */
  readonly clearedBy: string
  readonly expects: Readonly<Record<string, string | null>>
  /** Its command lines cannot work without reaching another machine. */
  readonly needsNetwork: boolean
  /** The hosts that it was cleared to connect to, as they were read beforehand. */
  readonly hosts: readonly string[]
  /** If a person or the mode `auto` approved it: the paths that it was seen to write or delete beforehand. */
  readonly approvedPaths?: readonly string[]
  /** The original arguments, if a person changed them. */
  readonly proposed?: unknown
  readonly [CLEARED]: true
}

/** A valid call with everything that was found out before the commit point. */
export interface PreparedCall {
  readonly call: ValidCall
  readonly decision: 'allow' | 'ask'
  readonly rule: string
  readonly reason: string
  /** Who decided: a rule, the tool itself, or the default for its effect. */
  readonly settledBy: 'rule' | 'tool' | 'default'
  /** The grant that allowed it. Its use is counted before the call is cleared. */
  readonly grant?: string | undefined
  readonly preview: Preview | undefined
  /** The tool's own sentence on what the call would do. */
  readonly summary: string | undefined
  /** True where it would replace or delete more than can be kept for undo. */
  readonly cannotUndo: boolean
  readonly expects: Readonly<Record<string, string | null>>
  /** The paths that it would write or delete, as far as they were read. */
  readonly changes: readonly string[]
  /** The hosts that it would connect to; those of code that may run without a question are left out. */
  readonly hosts: readonly string[]
  /** Its command lines cannot work without reaching another machine. */
  readonly needsNetwork: boolean
}
