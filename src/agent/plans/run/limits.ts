import type { PlanLimits } from '../../../core/plans/plan.ts'
import { type JobView, type PlanView, workedOn } from '../../../core/plans/plan-view.ts'
import type { PlanWorker, WorkCount } from './plan-worker.ts'

/** What is left of the limits of a job and its plan. */
export interface Left {
  readonly maxSteps?: number
  readonly maxTokens?: number
  /** Milliseconds, and whose limit that is. */
  readonly time: number
  readonly timeOf: 'job' | 'plan'
  /** The limit that is used up, in words. */
  readonly spent?: { readonly of: 'job' | 'plan'; readonly text: string }
}

/** Finds what is left for the next iteration of a job. */
export async function findLeft(view: PlanView, job: JobView, worker: Pick<PlanWorker, 'count'>): Promise<Left> {
  const own = job.iterations.filter(({ iteration }) => iteration >= job.since)
  const all = view.jobs.flatMap(({ iterations }) => iterations.filter((one) => one.startedAt >= view.limitsFrom))
  const ofJob = leftOf(job, await worker.count(own.map(({ agent }) => agent)), workedOn(own, Date.now()))
  const ofPlan = leftOf(view.plan, await worker.count(all.map(({ agent }) => agent)), workedOn(all, Date.now()))
  const spent = spentOf('plan', view.plan, ofPlan) ?? spentOf('job', job, ofJob)
  const least = (key: 'maxSteps' | 'maxTokens') => {
    const number = Math.min(ofJob[key] ?? Number.POSITIVE_INFINITY, ofPlan[key] ?? Number.POSITIVE_INFINITY)
    return Number.isFinite(number) ? { [key]: number } : {}
  }
  const timeOf = ofPlan.time < ofJob.time ? 'plan' : 'job'
  return {
    ...least('maxSteps'),
    ...least('maxTokens'),
    ...{ timeOf, time: Math.min(ofPlan.time, ofJob.time) },
    ...(spent && { spent }),
  }
}

type LeftOf = Pick<Left, 'maxSteps' | 'maxTokens' | 'time'>

function leftOf({ timeout, maxSteps, maxTokens }: PlanLimits, { steps, tokens }: WorkCount, worked: number): LeftOf {
  return {
    ...(maxSteps !== undefined && { maxSteps: maxSteps - steps }),
    ...(maxTokens !== undefined && { maxTokens: maxTokens - tokens }),
    time: timeout === undefined ? Number.POSITIVE_INFINITY : timeout * 1_000 - worked,
  }
}

function spentOf(of: 'job' | 'plan', limits: PlanLimits, left: LeftOf): Left['spent'] {
  if (left.time <= 0) return { of, text: timeText(of, limits.timeout) }
  if ((left.maxSteps ?? 1) <= 0) return { of, text: `its limit of ${limits.maxSteps} steps is used up` }
  if ((left.maxTokens ?? 1) <= 0) return { of, text: `its limit of ${limits.maxTokens} tokens is used up` }
  return undefined
}

/** `it took longer than its limit of 600 s` */
export function timeText(of: 'job' | 'plan', timeout: number | undefined): string {
  return `${of === 'job' ? 'it' : 'the plan'} took longer than its limit of ${timeout} s`
}
