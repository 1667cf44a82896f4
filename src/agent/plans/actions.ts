import type { PlanAction } from '../../core/plans/plan-event.ts'
import type { PlanView } from '../../core/plans/plan-view.ts'
import { nearest } from '../../core/text/nearest.ts'

/** What a person asks of a plan. */
export interface PlanRequest {
  readonly action: PlanAction
  /** The job that it is about; the one that the plan is paused for when left out. */
  readonly job?: string
  /** The feedback. */
  readonly text?: string
}

/** A request that cannot be met: the person's mistake, or one that came too late. */
export interface RefusedRequest {
  readonly code: 'INVALID_ARGUMENTS' | 'CONFLICT'
  readonly text: string
}

const ABOUT_JOBS: readonly PlanAction[] = ['retry', 'skip', 'feedback']

/** Fills in the job of a request and says why it cannot be met, if so. */
export function settleRequest(view: PlanView, request: PlanRequest): PlanRequest | RefusedRequest {
  const { action, text } = request
  const { state, id } = view
  if (state === 'completed' || state === 'cancelled')
    return { code: 'CONFLICT', text: `The plan ${id} is ${state}; it cannot ${VERBS[action]}.` }
  if (action === 'pause' && state !== 'running')
    return { code: 'CONFLICT', text: `The plan ${id} is ${state} already.` }
  if (action === 'stop' && state === 'failed')
    return { code: 'CONFLICT', text: `The plan ${id} has ended already: it failed.` }
  if (!ABOUT_JOBS.includes(action)) return { action }
  const job = request.job ?? view.pause?.job
  const found = view.jobs.find((one) => one.id === job)
  if (found === undefined) return missingJob(view, job)
  if (action === 'feedback' && (text ?? '').trim() === '')
    return { code: 'INVALID_ARGUMENTS', text: 'The feedback is empty: say what should be done differently.' }
  if (action === 'skip' && (found.state === 'completed' || found.state === 'skipped'))
    return { code: 'CONFLICT', text: `The job ${found.id} is ${found.state} already.` }
  return { action, job: found.id, ...(action === 'feedback' && text !== undefined && { text }) }
}

const VERBS: Readonly<Record<PlanAction, string>> = {
  ...{ resume: 'go on', pause: 'be paused', stop: 'be stopped', retry: 'try a job again', skip: 'skip a job' },
  feedback: 'take feedback',
}

function missingJob({ jobs, id }: PlanView, job: string | undefined): RefusedRequest {
  const names = jobs.map((one) => one.id)
  if (job === undefined) return { code: 'INVALID_ARGUMENTS', text: `Name a job of the plan: ${names.join(', ')}.` }
  const near = nearest(job, names)
  const hint = near.length > 0 ? `Did you mean ${near.slice(0, 2).join(' or ')}?` : `There are: ${names.join(', ')}.`
  return { code: 'INVALID_ARGUMENTS', text: `The plan ${id} has no job ${JSON.stringify(job)}. ${hint}` }
}

/** What a request says in the log. */
export function describeRequest({ action, job, text }: PlanRequest): string {
  const [first = '', ...rest] = action
  const head = `${first.toUpperCase()}${rest.join('')}${job === undefined ? ' the plan' : ` the job ${job}`}`
  return action === 'feedback' ? `Feedback for the job ${job}: ${text}` : `${head}.`
}
