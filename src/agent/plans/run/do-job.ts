import { messageOf } from '../../../core/call/result.ts'
import { agentId } from '../../../core/plans/agent-ids.ts'
import { type IterationView, type JobView, type PlanView, triesOf } from '../../../core/plans/plan-view.ts'
import { findLeft, type Left, timeText } from './limits.ts'
import type { CheckEnd, PlanRunParts, WorkEnd } from './plan-worker.ts'

/** One iteration of a job: a sub-agent works, then the check decides. What comes of it is in the log. */
export async function doIteration(view: PlanView, job: JobView, parts: PlanRunParts): Promise<void> {
  const left = await findLeft(view, job, parts.worker)
  if (left.spent?.of === 'plan') return endPlan(left.spent.text, parts)
  if (left.spent) return failJob(job, left.spent.text, parts)
  const tries = triesOf(job)
  if (tries.length >= job.maxIterations) return failJob(job, describeTries(job, tries), parts)
  await new Iteration({ view, job, left }, parts).run()
}

/** Ends the plan: a limit of its own is used up. */
async function endPlan(text: string, { plan, emit, log }: PlanRunParts): Promise<void> {
  emit({ type: 'plan-end', session: plan, state: 'failed', text: `Stopped by a limit: ${text}.` })
  await log.flush()
}

async function failJob({ id: job }: JobView, text: string, { plan, emit, log }: PlanRunParts): Promise<void> {
  emit({ type: 'job-end', session: plan, job, state: 'failed', text })
  await log.flush()
}

function describeTries({ check }: JobView, tries: readonly IterationView[]): string {
  const times = tries.length === 1 ? 'once' : `${tries.length} times`
  return check === undefined ? `it was tried ${times}; ${tries.at(-1)?.text}` : `its check failed ${times}`
}

interface Given {
  readonly view: PlanView
  readonly job: JobView
  readonly left: Left
}

class Iteration {
  readonly #given: Given
  readonly #parts: PlanRunParts
  readonly #number: number
  readonly #agent: string
  readonly #time: AbortSignal
  readonly #signal: AbortSignal

  constructor(given: Given, parts: PlanRunParts) {
    const { view, job, left } = given
    this.#given = given
    this.#parts = parts
    const last = job.iterations.at(-1)
    // A sub-agent that was broken off knows what it did: it goes on.
    const isContinued = last?.outcome === 'left' && last.iteration >= job.since
    this.#number = isContinued ? last.iteration : (last?.iteration ?? 0) + 1
    this.#agent = isContinued ? last.agent : agentId(view.id, view.jobs.indexOf(job) + 1, this.#number)
    this.#time = Number.isFinite(left.time) ? AbortSignal.timeout(Math.ceil(left.time)) : new AbortController().signal
    this.#signal = AbortSignal.any([parts.signal, this.#time])
  }

  async run(): Promise<void> {
    const { plan, emit, log, signal } = this.#parts
    const { job } = this.#given
    emit({ type: 'job-start', session: plan, job: job.id, iteration: this.#number, agent: this.#agent })
    await log.flush()
    const ended = await this.#work()
    if (signal.aborted) return
    if (this.#time.aborted) return this.#fail(this.#timeText(), ended)
    if (ended.reason === 'failed') return this.#fail(`the sub-agent failed: ${ended.summary ?? 'no reason is known'}`)
    if (ended.reason === 'cancelled') return this.#fail('the sub-agent was stopped by a person')
    await (job.check === undefined ? this.#judge(ended) : this.#check(job.check, ended))
  }

  async #work(): Promise<WorkEnd> {
    const { view, job, left } = this.#given
    const { maxSteps, maxTokens } = left
    const limits = { ...(maxSteps !== undefined && { maxSteps }), ...(maxTokens !== undefined && { maxTokens }) }
    try {
      return await this.#parts.worker.work({ view, job, agent: this.#agent, ...limits }, this.#signal)
    } catch (thrown) {
      return { reason: 'failed', summary: messageOf(thrown) }
    }
  }

  /** Without a check, how the sub-agent ended decides. */
  async #judge(ended: WorkEnd): Promise<void> {
    const passed = ended.reason === 'complete' || ended.reason === 'reply'
    const text = passed ? 'done, as the sub-agent reports' : ENDS[ended.reason === 'loop' ? 'loop' : 'limit']
    await this.#end({ passed, text }, ended)
  }

  async #check(command: string, ended: WorkEnd): Promise<void> {
    const { plan, emit, worker, signal } = this.#parts
    const { job } = this.#given
    const { call, end } = worker.check(job, command, this.#signal)
    emit({ type: 'job-check', session: plan, job: job.id, iteration: this.#number, check: call })
    const found = await end
    if (signal.aborted) return
    if (this.#time.aborted) return this.#fail(this.#timeText(), ended)
    if (found.isRefused) return this.#fail(found.text, ended)
    await this.#end(found, ended)
  }

  /** Logs what was found; a job that passed is settled. */
  async #end(found: CheckEnd, ended: WorkEnd): Promise<void> {
    const { plan, emit, log, worker } = this.#parts
    const { view, job } = this.#given
    const checkedOff = found.passed ? await worker.checkOff(view, job) : undefined
    this.#log(found, ended)
    if (found.passed) {
      const off = checkedOff === undefined ? {} : { checkedOff }
      emit({ type: 'job-end', session: plan, job: job.id, state: 'completed', text: found.text, ...off })
      if (view.plan.manual)
        emit({
          type: 'plan-pause',
          session: plan,
          reason: 'manual',
          job: job.id,
          text: `Job ${job.id} is done. Go on?`,
        })
    }
    await log.flush()
  }

  /** Settles the job: no other try would help. */
  async #fail(text: string, ended?: WorkEnd): Promise<void> {
    this.#log({ passed: false, text }, ended)
    await failJob(this.#given.job, text, this.#parts)
  }

  #log({ passed, text, output, exitCode }: CheckEnd, ended: WorkEnd | undefined): void {
    const { plan, emit } = this.#parts
    emit({
      ...{ type: 'job-iteration', session: plan, job: this.#given.job.id, iteration: this.#number, passed, text },
      ...(ended?.summary !== undefined && { summary: ended.summary }),
      ...(output !== undefined && { output }),
      ...(exitCode !== undefined && { exitCode }),
    })
  }

  #timeText(): string {
    const { left, job, view } = this.#given
    return timeText(left.timeOf, left.timeOf === 'job' ? job.timeout : view.plan.timeout)
  }
}

const ENDS = {
  loop: 'the sub-agent repeated itself and was stopped',
  limit: 'the sub-agent was stopped by a limit',
} as const
