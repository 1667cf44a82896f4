import { drawPlan } from '../../../core/plans/draw-plan.ts'
import type { PlanView } from '../../../core/plans/plan-view.ts'
import type { Event, EventBody } from '../../../core/session/event.ts'
import { doIteration } from './do-job.ts'
import { type NextStep, nextStep } from './next-step.ts'
import type { PlanRunParts } from './plan-worker.ts'

/** Runs a plan whose lease this process holds, until it is paused or has ended. Gives the lease back. Rejects where the log cannot be read or written. */
export async function runPlan(parts: PlanRunParts): Promise<PlanView> {
  const state = new PlanRun(parts)
  for (;;) {
    let view = await state.refresh()
    if (nextStep(view).kind !== 'rest') {
      await state.emit({ type: 'plan-run', session: parts.plan })
      view = await runUntilRest(state, parts)
    }
    // A request that came meanwhile is handled here: nobody else could take the lease.
    if (await parts.leases.end(parts.plan, state.lastMessage)) return view
    if (parts.signal.aborted && (await parts.leases.end(parts.plan, Number.MAX_SAFE_INTEGER))) return view
  }
}

async function runUntilRest(state: PlanRun, parts: PlanRunParts): Promise<PlanView> {
  for (;;) {
    const view = await state.refresh()
    const step = nextStep(view)
    if (step.kind === 'rest') return view
    if (step.kind === 'work') await work(view, step, { state, parts })
    else await settle(step, view, { state, parts })
  }
}

interface Running {
  readonly state: PlanRun
  readonly parts: PlanRunParts
}

/** Works on a job. A request that concerns it, or the end of the process, breaks it off; then the next step follows from the log. */
async function work(view: PlanView, { job }: Extract<NextStep, { kind: 'work' }>, { state, parts }: Running) {
  const { plan, signal } = parts
  const text = 'The process that ran the plan was asked to end.'
  if (!signal.aborted) {
    const request = state.watchRequests(job.id)
    try {
      await doIteration(view, job, { ...parts, signal: AbortSignal.any([signal, request.signal]) })
    } finally {
      request.end()
    }
  }
  if (!signal.aborted) return
  const now = await state.refresh()
  if (nextStep(now).kind === 'work') await state.rest({ type: 'plan-pause', session: plan, reason: 'ended', text }, now)
}

/** Pauses or ends the plan. */
async function settle(step: Extract<NextStep, { kind: 'pause' | 'end' }>, view: PlanView, { state, parts }: Running) {
  const { plan: session } = parts
  const { text } = step
  if (step.kind === 'end') return state.rest({ type: 'plan-end', session, state: step.state, text }, view)
  const { reason, job } = step
  return state.rest({ type: 'plan-pause', session, reason, text, ...(job !== undefined && { job }) }, view)
}

type RestEvent = Extract<EventBody, { type: 'plan-pause' | 'plan-end' }>

/** What a runner knows of its plan: the view of its events up to a cursor. */
class PlanRun {
  readonly #parts: PlanRunParts
  #view: PlanView | undefined
  #cursor = 0
  /** The cursor of the last request's message. */
  lastMessage = 0

  constructor(parts: PlanRunParts) {
    this.#parts = parts
  }

  /** Takes in what was logged since, by this process or another. */
  async refresh(): Promise<PlanView> {
    const { log, plan } = this.#parts
    const events = await log.read({ session: plan, after: this.#cursor })
    for (const { type, cursor } of events) {
      this.#cursor = cursor ?? this.#cursor
      if (type === 'message') this.lastMessage = this.#cursor
    }
    this.#view = drawPlan(events, this.#view)
    if (this.#view === undefined) throw new Error(`${plan} is not a plan`)
    return this.#view
  }

  /** Pauses or ends the plan, and tells the session that proposed it in the same commit, so that no crash comes between the two. */
  async rest(event: RestEvent, { id, madeIn }: PlanView): Promise<void> {
    const state = event.type === 'plan-end' ? event.state : 'paused'
    this.#parts.emit(event)
    if (madeIn !== undefined)
      this.#parts.emit({ type: 'plan-report', session: madeIn, plan: id, state, text: event.text })
    await this.#parts.log.flush()
  }

  async emit(body: Parameters<PlanRunParts['emit']>[0]): Promise<void> {
    this.#parts.emit(body)
    await this.#parts.log.flush()
  }

  /** A signal that aborts at the first request that concerns the work on a job. */
  watchRequests(job: string): { readonly signal: AbortSignal; end(): void } {
    const { log, plan } = this.#parts
    const found = new AbortController()
    const over = new AbortController()
    const options = { session: plan, after: this.#cursor, signal: over.signal }
    const follow = async (): Promise<void> => {
      for await (const event of log.follow({ ...options, types: ['plan-request'] }))
        if (concerns(event, job)) found.abort()
    }
    // A log that cannot be read tells of no request; the next one is found when the iteration has ended.
    follow().catch(() => undefined)
    return { signal: found.signal, end: () => over.abort() }
  }
}

function concerns(event: Event, job: string): boolean {
  if (event.type !== 'plan-request') return false
  return event.action === 'stop' || event.action === 'pause' || (event.action !== 'resume' && event.job === job)
}
