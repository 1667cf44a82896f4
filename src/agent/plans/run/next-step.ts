import type { PauseReason } from '../../../core/plans/plan-event.ts'
import { isSettled, type JobView, type PlanView } from '../../../core/plans/plan-view.ts'

/** What a runner does next. */
export type NextStep =
  | { readonly kind: 'work'; readonly job: JobView }
  | { readonly kind: 'pause'; readonly reason: PauseReason; readonly job?: string; readonly text: string }
  | { readonly kind: 'end'; readonly state: 'completed' | 'cancelled'; readonly text: string }
  /** Nothing: the plan waits for a person, or has ended. */
  | { readonly kind: 'rest' }

/** Decides what comes next from the view alone, so that any process that takes the plan over goes on where it stands. */
export function nextStep(view: PlanView): NextStep {
  const { state, asked, jobs } = view
  if (state === 'completed' || state === 'cancelled') return { kind: 'rest' }
  if (asked === 'stop') return { kind: 'end', state: 'cancelled', text: countJobs(view) }
  if (state !== 'running') return { kind: 'rest' }
  if (asked === 'pause') return { kind: 'pause', reason: 'person', text: 'Paused by you.' }
  const failed = jobs.find((job) => job.state === 'failed')
  if (failed) return { kind: 'pause', reason: 'failed', job: failed.id, text: describeFailed(failed) }
  const settled = new Set(jobs.filter((job) => isSettled(job.state)).map(({ id }) => id))
  const ready = jobs.find(({ id, dependsOn = [] }) => !settled.has(id) && dependsOn.every((one) => settled.has(one)))
  if (ready) return { kind: 'work', job: ready }
  return { kind: 'end', state: 'completed', text: countJobs(view) }
}

/** `Job smtp failed: its check failed 5 times.` */
function describeFailed({ id, text = 'no reason is known' }: JobView): string {
  return `Job ${id} failed: ${text}.`
}

/** `3 of 4 jobs done, 1 skipped.` */
export function countJobs({ jobs }: Pick<PlanView, 'jobs'>): string {
  const done = jobs.filter(({ state }) => state === 'completed').length
  const skipped = jobs.filter(({ state }) => state === 'skipped').length
  return `${done} of ${jobs.length} ${jobs.length === 1 ? 'job' : 'jobs'} done${skipped > 0 ? `, ${skipped} skipped` : ''}.`
}
