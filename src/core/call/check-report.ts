import type { Decision, Opinion } from '../rules/rule.ts'
import type { Preview } from '../tool/prepared.ts'
import type { ErrorCode } from './codes.ts'
import type { Result } from './result.ts'

/** What would happen to a call: everything before the line, and nothing after it. */
export interface CheckReport {
  readonly decision: Decision | 'invalid'
  readonly code?: ErrorCode
  readonly rule?: string
  readonly text: string
  /** What the tool would get, where that is an object that JSON can carry; else the arguments as they were sent. */
  readonly arguments?: Readonly<Record<string, unknown>>
  readonly effects?: readonly string[]
  readonly repairs?: readonly string[]
  /** What a person would be shown. */
  readonly preview?: Preview
  readonly trace: readonly Opinion[]
  /** What it did where nothing was applied, when that was asked for and the tool can. */
  readonly dryRun?: Result
}
