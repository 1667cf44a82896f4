import type { ValidCall } from '../../core/call/call.ts'
import type { CallReading, Verdict } from '../../core/rules/rule.ts'
import type { Touch } from '../../core/tool/touch.ts'

/** A valid call with the verdict of the rules, the touches that the tool declares, and what was read in them. */
export interface Judged {
  readonly call: ValidCall
  readonly verdict: Verdict
  readonly touches: readonly Touch[]
  readonly reading: CallReading
}
