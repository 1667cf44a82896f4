import type { ErrorCode } from './codes.ts'
import type { Result } from './result.ts'
import type { Decision, Opinion } from './rule.ts'
import type { Preview } from './tool.ts'

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
  /** What a person would be shown. */
  readonly preview?: Preview
  readonly trace: readonly Opinion[]
  /** What it did where nothing was applied, when that was asked for and the tool can. */
  readonly rehearsal?: Result
}
