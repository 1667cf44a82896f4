import type { Failure } from '../../core/call/result.ts'
import type { Plan } from '../../core/plans/plan.ts'
import type { PlanStart, Plans, StartedPlan } from './plans.ts'

/** What only the tool that proposes plans gives. */
export interface Proposed {
  readonly madeIn: string
  readonly proposal: string
  readonly tools: readonly string[]
  readonly mcpServers: readonly string[]
}

/** The plans of a home, with what only its own parts use. */
export interface OwnPlans extends Plans {
  /** Reads and checks a plan that a session proposes. Rejects with PlanError, and with ToolError where another plan holds the workspace. */
  checkProposed(start: PlanStart, proposed: Proposed): Promise<Plan>
  /** Starts a plan that a session proposed and a person approved. */
  startProposed(start: PlanStart, proposed: Proposed): Promise<StartedPlan | Failure>
  /** Resolves when no plan of this process works any more. */
  idle(): Promise<void>
}
