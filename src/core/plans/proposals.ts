import type { CheckedPlan } from './plan.ts'

/** How a call proposes a plan: the session's own tools are all that its jobs may have. */
export interface Proposals {
  /** Reads and checks a plan. Rejects with ToolError INVALID_ARGUMENTS, which names everything that is wrong, or CONFLICT while another plan holds the workspace. */
  check(plan: string | object): Promise<CheckedPlan>
  /** Starts a plan and resolves to its id at once; its end is told to the session. Rejects with ToolError. */
  start(plan: string | object): Promise<string>
}
