import type { JobView, PlanView } from '../../../core/plans/plan-view.ts'
import type { Leases } from '../../../core/ports/leases.ts'
import type { Log } from '../../../core/ports/log.ts'
import type { EventBody, RunEndReason } from '../../../core/session/event.ts'

/** What a sub-agent is to do. */
export interface WorkOrder {
  readonly view: PlanView
  readonly job: JobView
  /** The id of its session: a new one, or the one that was broken off. */
  readonly agent: string
  /** What is left of the limits. */
  readonly maxSteps?: number
  readonly maxTokens?: number
}

/** How the run of a sub-agent ended. */
export interface WorkEnd {
  /** `limit` also where it used up its tokens. */
  readonly reason: RunEndReason
  readonly summary?: string
}

/** What a check found. */
export interface CheckEnd {
  readonly passed: boolean
  /** What was found, in one line. */
  readonly text: string
  /** The last lines of its output. */
  readonly output?: string
  readonly exitCode?: number
  /** True where it could not run at all, so that no other try would help. */
  readonly isRefused?: true
}

/** What was used of the limits. */
export interface WorkCount {
  readonly steps: number
  readonly tokens: number
}

/** How a runner reaches the world: sub-agents and checks are calls through the pipeline. */
export interface PlanWorker {
  /** Begins a sub-agent, or goes on with one that was broken off, and resolves when its run has ended. Rejects where it cannot be begun. */
  work(order: WorkOrder, signal: AbortSignal): Promise<WorkEnd>
  /** Runs the check of a job; `call` is its id. Never rejects. */
  check(job: JobView, check: string, signal: AbortSignal): { readonly call: string; readonly end: Promise<CheckEnd> }
  /** Counts what sub-agents have used so far. */
  count(agents: readonly string[]): Promise<WorkCount>
  /** Checks off the line of a job in the source; resolves to the call that did, undefined where nothing was to do. Never rejects. */
  checkOff(view: PlanView, job: JobView): Promise<string | undefined>
}

/** What running a plan needs. The process holds the lease of the plan's session. */
export interface PlanRunParts {
  readonly plan: string
  readonly log: Log
  readonly leases: Leases
  readonly worker: PlanWorker
  /** Ends the work, since the process is to end; the plan is paused. */
  readonly signal: AbortSignal
  emit(body: EventBody): void
}
