import type { ErrorCode } from './codes.ts'
import type { Result } from './result.ts'
import type { Decision, Opinion } from './rule.ts'

/** What would happen to a call: everything before the line, and nothing after it. */
export interface CheckReport {
  readonly decision: Decision | 'invalid'
  readonly code?: ErrorCode
  readonly rule?: string
  readonly text: string
  /** The validated value. */
  readonly arguments?: Readonly<Record<string, unknown>>
  readonly effects?: readonly string[]
  readonly repairs?: readonly string[]
  readonly trace: readonly Opinion[]
  /** What it did where nothing was applied, when that was asked for and the tool can. */
  readonly rehearsal?: Result
}
