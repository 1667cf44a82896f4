import type { CallSummary } from '../approval/call-summary.ts'
import type { Decision, Opinion } from '../rules/rule.ts'
import type { Preview } from '../tool/prepared.ts'
import type { ErrorCode } from './codes.ts'
import type { Result } from './result.ts'

/** What would happen to a call. Only the stages before the commit point are run. */
export interface CheckReport {
  readonly decision: Decision | 'invalid'
  readonly code?: ErrorCode
  readonly rule?: string
  readonly text: string
  /** The input that the tool would get if JSON can represent it, else the arguments as they were sent. */
  readonly arguments?: Readonly<Record<string, unknown>>
  readonly effects?: readonly string[]
  readonly repairs?: readonly string[]
  /** What it would do, in Haft's words; absent if the call cannot work. */
  readonly summary?: CallSummary
  /** The preview that a person would see. */
  readonly preview?: Preview
  readonly trace: readonly Opinion[]
  /** The result of the dry run, if one was requested and the tool supports it. */
  readonly dryRun?: Result
}
