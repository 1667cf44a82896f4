import type { ValidCall } from './call.ts'
import type { Origin } from './snapshot.ts'
import type { Effect } from './tool.ts'
import type { Touch } from './touch.ts'

export type Decision = 'allow' | 'ask' | 'deny'

/** Whose rules they are, weakest first: a later layer that speaks beats an earlier one, but never a deny. */
export const LAYERS = ['defaults', 'user', 'project', 'grants'] as const
export type Layer = (typeof LAYERS)[number]

/** A rule as data. Every member that is given must match; a rule that matches nothing given matches every call. */
export interface Rule {
  readonly name: string
  readonly decision: Decision
  /** Shown to the model and the person. */
  readonly reason?: string
  /** Tool names (ids); `*` at an end matches the rest. */
  readonly tools?: readonly string[]
  readonly origins?: readonly Origin[]
  readonly effects?: readonly Effect[]
  /** Globs, relative to the workspace. An allow needs every touched path to match, an ask or deny needs one. */
  readonly paths?: readonly string[]
  /** Host names; `*.example.com` matches below it. Counted as `paths` are. */
  readonly hosts?: readonly string[]
  /** Parameter → regular expression on its value as text. */
  readonly arguments?: Readonly<Record<string, string>>
  /** For rules given in code: a last condition. Throwing denies. */
  when?(call: ValidCall, touches: readonly Touch[]): boolean
}

/** What one rule said of one call. */
export interface Opinion {
  readonly layer: Layer
  readonly rule: string
  readonly decision: Decision
  readonly reason: string
}

/** A decision, who made it, and everything that was said on the way. */
export interface Verdict {
  readonly decision: Decision | 'silent'
  readonly rule: string
  readonly reason: string
  readonly trace: readonly Opinion[]
}

/** Asks the rules: every opinion there is of a call, in the order of the layers. May throw, which denies. */
export interface Judge {
  opinions(call: ValidCall, touches: readonly Touch[]): readonly Opinion[]
}
