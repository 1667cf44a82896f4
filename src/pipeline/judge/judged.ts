import type { ValidCall } from '../../core/call/call.ts'
import type { CallReading, Judgement, Verdict } from '../../core/rules/rule.ts'
import type { Touch } from '../../core/tool/touch.ts'

/** A valid call with the verdict of the rules, the touches that the tool declares, and what was read in them. */
export interface Judged {
  readonly call: ValidCall
  readonly verdict: Verdict
  readonly touches: readonly Touch[]
  readonly reading: CallReading
  /** What the judge learned about existence. */
  readonly learned?: Judgement['learned'] | undefined
  /** True where the mode allows the call although the tool, or its effect, would ask. */
  readonly isAllowedByMode?: boolean | undefined
}
