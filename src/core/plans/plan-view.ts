import type { Mode } from '../session/mode.ts'
import type { Plan, PlanJob } from './plan.ts'
import type { PauseReason, PlanSource } from './plan-event.ts'

/** Where a plan or a job stands. A plan is never pending or skipped. */
export type PlanState = 'pending' | 'running' | 'paused' | 'completed' | 'failed' | 'skipped' | 'cancelled'

/** The work of one sub-agent on a job. */
export interface IterationView {
  readonly iteration: number
  /** The id of the sub-agent's session. */
  readonly agent: string
  readonly startedAt: number
  /** Milliseconds that were worked on it, without the stretch that is under way. */
  readonly worked: number
  /** When the stretch under way began. */
  readonly runningSince?: number
  /** `left` where it was broken off: by a person, or with the process that ran it. It does not count as a try. */
  readonly outcome: 'running' | 'checking' | 'passed' | 'failed' | 'left'
  /** What was found, in one line. */
  readonly text?: string
  readonly summary?: string
  /** The calls that ran the check. */
  readonly checks: readonly string[]
  readonly output?: string
  readonly exitCode?: number
}

/** A job, and what became of it so far. */
export interface JobView extends Omit<PlanJob, 'timeout'> {
  readonly timeout: number
  readonly maxIterations: number
  readonly state: PlanState
  readonly iterations: readonly IterationView[]
  /** The first iteration that counts since the job was last tried again. */
  readonly since: number
  /** What the person said for the next try. */
  readonly feedback?: string
  /** How it ended, in one line. */
  readonly text?: string
  /** The call that checked off its line in the source. */
  readonly checkedOff?: string
}

/** A plan reconstructed from its events: everything that a front end needs to show it. */
export interface PlanView {
  readonly id: string
  readonly workspace: string
  readonly goal: string
  readonly model: string
  readonly mode: Mode
  readonly plan: Plan
  readonly source?: PlanSource
  readonly madeIn?: string
  readonly proposal?: string
  /** The tools of jobs where neither they nor the plan name any; absent means all. */
  readonly tools?: readonly string[]
  readonly mcpServers?: readonly string[]
  readonly by: string
  /** What the plan asks for and does not get. */
  readonly warnings?: readonly string[]
  readonly state: PlanState
  readonly startedAt: number
  readonly lastAt: number
  /** When its own limits began to count: later than its start where a person went on after one was used up. */
  readonly limitsFrom: number
  /** Why it is paused, and about which job. */
  readonly pause?: { readonly reason: PauseReason; readonly job?: string; readonly text: string }
  /** What a person asked for that is not done yet. */
  readonly asked?: 'pause' | 'stop'
  /** How it ended, in one line. */
  readonly text?: string
  readonly jobs: readonly JobView[]
}

/** True for states that nothing follows, unless a person asks for it. */
export function isSettled(state: PlanState): boolean {
  return state === 'completed' || state === 'failed' || state === 'skipped' || state === 'cancelled'
}

/** True for a plan that holds its workspace. */
export function isActive({ state }: Pick<PlanView, 'state'>): boolean {
  return state === 'running' || state === 'paused'
}

/** The iterations that count as tries since the job was last tried again. */
export function triesOf({ iterations, since }: Pick<JobView, 'iterations' | 'since'>): readonly IterationView[] {
  return iterations.filter(({ iteration, outcome }) => iteration >= since && outcome !== 'left')
}

/** Milliseconds that sub-agents and checks have worked on these iterations. */
export function workedOn(iterations: readonly IterationView[], now: number): number {
  return iterations.reduce((sum, { worked, runningSince = now }) => sum + worked + Math.max(0, now - runningSince), 0)
}

/** True while a sub-agent or the check works on an iteration. */
export function isUnderWay({ outcome }: IterationView): boolean {
  return outcome === 'running' || outcome === 'checking'
}
