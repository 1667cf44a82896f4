import type { PlanRequest } from '../../agent/plans/actions.ts'
import type { Failure } from '../../core/call/result.ts'
import type { CheckedPlan } from '../../core/plans/plan.ts'
import type { PlanView } from '../../core/plans/plan-view.ts'
import type { Model } from '../../core/ports/model.ts'
import type { Mode } from '../../core/session/mode.ts'
import type { SessionCaller } from '../sessions/session.ts'

/** Who answers the approval requests of a plan's jobs, and which model they use. */
export interface PlanCaller extends Pick<SessionCaller, 'approver' | 'wait' | 'decision' | 'by'> {
  /** In place of the model that the plan names: by name, or as an object. */
  readonly model?: string | Model
  /** Ends the work of this process; the plan is paused and can go on later. */
  readonly signal?: AbortSignal
}

/** How a plan is started. */
export interface PlanStart extends PlanCaller {
  readonly workspace: string
  /** As text, in YAML, JSON or Markdown, or as data. */
  readonly plan: string | object
  /** The file that the text came from. */
  readonly file?: string
  /** The mode of whoever starts it; that of the workspace when left out. The plan can only be stricter. */
  readonly mode?: Mode
  /** In place of what the plan says. */
  readonly manual?: boolean
  readonly checkOff?: boolean
}

/** A plan that works: its id, and its view once it rests. */
export interface StartedPlan {
  readonly id: string
  /** Resolves when the plan was paused or has ended. Rejects where the log cannot be read or written. */
  readonly rest: Promise<PlanView>
}

/** A plan in a listing. */
export interface PlanRecord extends PlanView {
  /** True while a living process works on it. A plan that runs without one was cut off: it goes on with `resume`. */
  readonly isHeld: boolean
}

/** What a request to a plan may bring along. */
export type PlanOrder = PlanRequest & PlanCaller

/** Which plans to list. */
export interface PlanFilter {
  readonly workspace?: string
  /** Only plans whose id starts with this. */
  readonly prefix?: string
  /** The most entries to return; 50 when left out. */
  readonly limit?: number
}

/** The plans of a home. */
export interface Plans {
  /** Reads and checks a plan, and runs nothing. Rejects with PlanError. */
  check(start: PlanStart): Promise<CheckedPlan>
  /** Starts a plan. CONFLICT while another plan of the workspace is running or paused. Rejects with PlanError where it is not valid. */
  start(start: PlanStart): Promise<StartedPlan | Failure>
  /** Asks something of a plan, in whatever process it runs; where none runs it, this one does from now on. */
  act(id: string, order: PlanOrder): Promise<StartedPlan | Failure>
  /** Plans, the last used first. */
  list(filter?: PlanFilter): Promise<readonly PlanRecord[]>
  get(id: string): Promise<PlanRecord | undefined>
  /** Resolves once a plan rests, whichever process runs it. */
  rest(id: string, signal?: AbortSignal): Promise<PlanView | undefined>
  /** The calls of a job whose changes are in effect, the newest first: `host.undo` undoes them as one. */
  undoable(id: string, job: string): Promise<readonly string[]>
}

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
  checkProposed(start: PlanStart, proposed: Proposed): Promise<CheckedPlan>
  /** Starts a plan that a session proposed and a person approved. */
  startProposed(start: PlanStart, proposed: Proposed): Promise<StartedPlan | Failure>
  /** Resolves when no plan of this process works any more. */
  idle(): Promise<void>
}
