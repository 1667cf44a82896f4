import type { Event } from '../session/event.ts'
import { JOB_DEFAULTS, type PlanJob } from './plan.ts'
import { type IterationView, isSettled, isUnderWay, type JobView, type PlanView } from './plan-view.ts'
import { warningsOf } from './plan-warnings.ts'

/** Builds the view of a plan from the events of its session; undefined where they are not those of a plan. Given a view of earlier events, continues from it; that view is not changed. */
export function drawPlan(events: Iterable<Event>, before?: PlanView): PlanView | undefined {
  let view = before
  let workspace = before?.workspace ?? ''
  for (const event of events) {
    if (event.type === 'session-start') workspace = event.workspace
    else if (event.type === 'plan-start') view = startPlan(event, workspace)
    else if (view) view = { ...addEvent(view, event), lastAt: Math.max(view.lastAt, event.at) }
  }
  return view
}

function startPlan(event: Extract<Event, { type: 'plan-start' }>, workspace: string): PlanView {
  const { session: id, plan, mode, model, by, source, madeIn, proposal, tools, mcpServers, at } = event
  const warnings = warningsOf(plan, mode)
  return {
    ...{
      id,
      workspace,
      goal: plan.goal,
      model,
      mode,
      plan,
      by,
      state: 'running',
      startedAt: at,
      lastAt: at,
      limitsFrom: at,
    },
    ...(warnings.length > 0 && { warnings }),
    ...(source && { source }),
    ...(madeIn !== undefined && { madeIn }),
    ...(proposal !== undefined && { proposal }),
    ...(tools && { tools }),
    ...(mcpServers && { mcpServers }),
    jobs: plan.jobs.map(startJob),
  }
}

function startJob(job: PlanJob): JobView {
  const { timeout = JOB_DEFAULTS.timeout, maxIterations = JOB_DEFAULTS.maxIterations, isDone } = job
  const start = { ...job, timeout, maxIterations, iterations: [], since: 1 }
  return isDone ? { ...start, state: 'completed', text: 'done before the plan began' } : { ...start, state: 'pending' }
}

function addEvent(view: PlanView, event: Event): PlanView {
  switch (event.type) {
    case 'plan-run':
      // The process that worked last may have died: nothing is known of it after its last event.
      return leaveIterations(goOn(view, event.at), view.lastAt)
    case 'plan-request':
      return addRequest(view, event)
    case 'plan-pause': {
      const { reason, job, text } = event
      const paused = leaveIterations(without({ ...view, state: 'paused' }, ['asked']), event.at)
      return { ...paused, pause: { reason, text, ...(job !== undefined && { job }) } }
    }
    case 'plan-end': {
      const open = without({ ...view, state: event.state, text: event.text }, ['asked', 'pause'])
      const ended = leaveIterations(open, event.at)
      const close = (job: JobView): JobView => (isSettled(job.state) ? job : { ...job, state: 'cancelled' })
      return event.state === 'cancelled' ? { ...ended, jobs: ended.jobs.map(close) } : ended
    }
    case 'job-start':
    case 'job-check':
    case 'job-iteration':
    case 'job-end':
      return { ...view, jobs: view.jobs.map((job) => (job.id === event.job ? addToJob(job, event) : job)) }
    default:
      return view
  }
}

type JobEvent = Extract<Event, { type: 'job-start' | 'job-check' | 'job-iteration' | 'job-end' }>

function addToJob(job: JobView, event: JobEvent): JobView {
  if (event.type === 'job-end') {
    const { state, text, checkedOff } = event
    return { ...job, state, text, ...(checkedOff !== undefined && { checkedOff }) }
  }
  const { iteration, at } = event
  if (event.type === 'job-start') {
    const isKnown = job.iterations.some((one) => one.iteration === iteration)
    const begun: IterationView = {
      iteration,
      agent: event.agent,
      startedAt: at,
      runningSince: at,
      worked: 0,
      outcome: 'running',
      checks: [],
    }
    // A sub-agent that goes on after it was broken off keeps its iteration.
    const iterations = isKnown
      ? change(job.iterations, iteration, (one) => ({ ...one, outcome: 'running', runningSince: at }))
      : [...job.iterations, begun]
    return { ...job, state: 'running', iterations }
  }
  if (event.type === 'job-check')
    return {
      ...job,
      iterations: change(job.iterations, iteration, (one) => ({
        ...one,
        outcome: 'checking',
        checks: [...one.checks, event.check],
      })),
    }
  const { passed, text, summary, output, exitCode } = event
  const iterations = change(job.iterations, iteration, (one) => ({
    ...endStretch(one, at),
    ...{ outcome: passed ? 'passed' : 'failed', text },
    ...(summary !== undefined && { summary }),
    ...(output !== undefined && { output }),
    ...(exitCode !== undefined && { exitCode }),
  }))
  return { ...job, iterations }
}

function change(
  iterations: readonly IterationView[],
  iteration: number,
  make: (one: IterationView) => IterationView,
): readonly IterationView[] {
  return iterations.map((one) => (one.iteration === iteration ? make(one) : one))
}

/** A request changes the view at once; what it means for work under way is up to the runner. One that does not fit the state is ignored. */
function addRequest(view: PlanView, event: Extract<Event, { type: 'plan-request' }>): PlanView {
  const { action, text } = event
  if (view.state === 'completed' || view.state === 'cancelled') return view
  if (action === 'stop') return { ...view, asked: 'stop' }
  if (action === 'pause') return view.state === 'running' ? { ...view, asked: 'pause' } : view
  if (action === 'resume') {
    const failed = view.jobs.map((job) => (job.state === 'failed' ? tryAgain(job, event.at) : job))
    return { ...goOn(view, event.at), jobs: failed }
  }
  if (action === 'skip') {
    const skip = (job: JobView): JobView => ({ ...leave(job, event.at), state: 'skipped', text: 'skipped by you' })
    const isOpen = ({ id, state }: JobView) => id === event.job && state !== 'completed'
    const jobs = view.jobs.map((job) => (isOpen(job) ? skip(job) : job))
    return { ...(view.pause?.job === event.job ? goOn(view, event.at) : view), jobs }
  }
  const again = (job: JobView) => ({
    ...tryAgain(job, event.at),
    ...(action === 'feedback' && text !== undefined && { feedback: text }),
  })
  return { ...goOn(view, event.at), jobs: view.jobs.map((job) => (job.id === event.job ? again(job) : job)) }
}

/** A plan that is to be run again. */
function goOn(view: PlanView, at: number): PlanView {
  const limitsFrom = view.state === 'failed' ? at : view.limitsFrom
  return without({ ...view, state: 'running' as const, limitsFrom }, ['pause', 'text'])
}

/** A job that is to be tried again, with all of its iterations. */
function tryAgain(job: JobView, at: number): JobView {
  const since = (job.iterations.at(-1)?.iteration ?? 0) + 1
  return { ...without(leave(job, at), ['text', 'checkedOff']), state: 'pending', since }
}

/** Closes what was under way: the process that ran it has stopped working on it. */
function leaveIterations(view: PlanView, at: number): PlanView {
  const close = (job: JobView): JobView =>
    job.state === 'running' ? { ...leave(job, at), state: 'pending' } : leave(job, at)
  return { ...view, jobs: view.jobs.map(close) }
}

function leave(job: JobView, at: number): JobView {
  if (!job.iterations.some(isUnderWay)) return job
  const end = (one: IterationView): IterationView =>
    isUnderWay(one) ? { ...endStretch(one, at), outcome: 'left' } : one
  return { ...job, iterations: job.iterations.map(end) }
}

function endStretch(one: IterationView, at: number): IterationView {
  const { runningSince = at, ...rest } = one
  return { ...rest, worked: one.worked + Math.max(0, at - runningSince) }
}

function without<View extends object, Key extends keyof View>(view: View, keys: readonly Key[]): View {
  const copy = { ...view }
  for (const key of keys) delete copy[key]
  return copy
}
