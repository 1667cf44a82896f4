import type { Mode } from '../session/mode.ts'
import type { Plan } from './plan.ts'

/** The members of every event of a plan. A plan is a session of its own: its id is the id of that session. */
interface InPlan<Type extends string> {
  type: Type
  session: string
}

interface InJob<Type extends string> extends InPlan<Type> {
  job: string
}

/** What a person can ask of a plan. */
export const PLAN_ACTIONS = ['resume', 'pause', 'stop', 'retry', 'skip', 'feedback'] as const
export type PlanAction = (typeof PLAN_ACTIONS)[number]

/** Why a plan is paused: a job failed, it waits for the go-ahead after a job, a person asked, or the process that ran it was asked to end. */
export type PauseReason = 'failed' | 'manual' | 'person' | 'ended'

/** Where a plan came from. */
export interface PlanSource {
  /** The file, as it was named. */
  readonly path: string
  /** SHA-256 of its text, so that a later change can be told. */
  readonly digest: string
}

/** What happens to a plan and its jobs. */
export type PlanEvent =
  /** A plan was accepted, as it will be run. `mode` is the one its jobs work in, `madeIn` the session whose model proposed it, `proposal` the call that did so. */
  | (InPlan<'plan-start'> & {
      plan: Plan
      mode: Mode
      model: string
      by: string
      source?: PlanSource
      madeIn?: string
      /** The call that proposed it. */
      proposal?: string
      /** The tools of jobs where neither they nor the plan name any; absent means all. */
      tools?: readonly string[]
      mcpServers?: readonly string[]
    })
  /** A process begins, or goes on, to run the plan. */
  | InPlan<'plan-run'>
  /** A person asked for something; `job` and `text` as the action needs them. */
  | (InPlan<'plan-request'> & { action: PlanAction; job?: string; text?: string; by: string })
  /** The plan waits for a person. */
  | (InPlan<'plan-pause'> & { reason: PauseReason; job?: string; text: string })
  /** The plan ended. */
  | (InPlan<'plan-end'> & { state: 'completed' | 'failed' | 'cancelled'; text: string })
  /** A plan that this session's model had proposed was paused or ended. In the session that proposed it. */
  | (InPlan<'plan-report'> & { plan: string; state: string; text: string })
  /** A sub-agent begins to work on a job; `agent` is the id of its session. */
  | (InJob<'job-start'> & { iteration: number; agent: string })
  /** The check of a job runs; `check` is the id of its call, in the plan's session. */
  | (InJob<'job-check'> & { iteration: number; check: string })
  /** A sub-agent's work on a job was judged: by the check, else by how it ended. `summary` is what the sub-agent said. */
  | (InJob<'job-iteration'> & {
      iteration: number
      passed: boolean
      text: string
      summary?: string
      /** The last lines of the check. */
      output?: string
      exitCode?: number
    })
  /** A job is settled. `checkedOff` is the call that checked off its line in the source. */
  | (InJob<'job-end'> & { state: 'completed' | 'failed'; text: string; checkedOff?: string })
