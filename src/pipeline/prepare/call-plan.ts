import { type Failure, failure, isFailure, messageOf, type Result, ToolError } from '../../core/call/result.ts'
import { isRecord } from '../../core/text/json.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import type { AnyStep, Plan, StepAnswer } from '../../core/tool/pipeline.ts'
import type { Prepared } from '../../core/tool/prepared.ts'

/** How long a cleanup may take, in milliseconds. */
const CLEANUP_TIME = 5_000

const BETWEEN_STEPS = 'It stopped between two steps; what it had done by then stays done.'

/** What a cleanup may reach, until it is closed. */
export interface CleanupContext extends ToolContext {
  close(): void
}

/** The steps of one call: those before the approval point run in prepare, the others in execute. */
export class CallPlan {
  readonly #plan: Plan
  #at = 0
  #value: unknown
  #output: unknown
  #seen: Prepared = {}

  /** Throws where it is no plan. */
  constructor(plan: Plan) {
    if (!isPlan(plan)) throw new Error('The steps of the tool are none; expected what pipeline().step(…) gives.')
    this.#plan = plan
  }

  /** True where the tool itself wants a person to be asked. */
  get hasApproval(): boolean {
    return this.#plan.approvalAt !== undefined
  }

  /** Runs the steps before the approval point; says what they saw, or why the call cannot work. */
  async prepare(context: ToolContext): Promise<Prepared | Failure> {
    const failed = await this.#run(this.#plan.approvalAt ?? 0, context)
    return failed ?? this.#seen
  }

  /** Runs the rest and gives the output that was set last; throws where a step fails. */
  async execute(context: ToolContext): Promise<unknown> {
    const failed = await this.#run(this.#plan.steps.length, context)
    if (failed === undefined) return this.#output
    const { code, text, ok: _, ...extras } = failed
    throw new ToolError(code, text, extras)
  }

  /** Runs the cleanups, all of them; says in words what went wrong. To be called once; never rejects. */
  async finish(result: Result, makeContext: () => CleanupContext): Promise<readonly string[]> {
    const problems: string[] = []
    for (const cleanup of this.#plan.cleanups) {
      const context = makeContext()
      try {
        await inTime(async () => cleanup(result, context))
      } catch (thrown) {
        problems.push(messageOf(thrown))
      } finally {
        context.close()
      }
    }
    return problems
  }

  async #run(end: number, context: ToolContext): Promise<Failure | undefined> {
    for (; this.#at < end; this.#at++) {
      if (context.signal.aborted) return failure('CANCELLED', BETWEEN_STEPS)
      const step = this.#plan.steps[this.#at]
      const answered = step && (await takeStep(step, this.#value, context))
      if (isFailure(answered)) return answered
      if (answered !== undefined) this.#value = await this.#goOn(answered, context)
    }
    return undefined
  }

  /** What the next step is handed. */
  async #goOn(answered: Exclude<StepAnswer, Failure>, context: ToolContext): Promise<unknown> {
    if (answered.step === 'delegate') return context.delegate(answered.effect)
    if (answered.step === 'output') this.#output = answered.value
    else if (answered.seen) this.#seen = addSeen(this.#seen, answered.seen)
    return answered.value
  }
}

function isPlan(plan: unknown): plan is Plan {
  return isRecord(plan) && Array.isArray(plan.steps) && Array.isArray(plan.cleanups)
}

function addSeen(before: Prepared, { preview, expects, cannotUndo }: Prepared): Prepared {
  return {
    ...before,
    ...(preview && { preview }),
    ...(cannotUndo && { cannotUndo }),
    ...(expects && { expects: { ...before.expects, ...expects } }),
  }
}

async function takeStep(step: AnyStep, value: unknown, context: ToolContext): Promise<StepAnswer> {
  const given: unknown = await step.run(value, context)
  const answered = isGenerator(given) ? await pull(given, context) : given
  if (isStepAnswer(answered)) return answered
  throw new ToolError(
    'EXECUTION_ERROR',
    'A step answered with something else than next(), output(…), delegate(…) or fail(…).',
  )
}

function isGenerator(given: unknown): given is AsyncGenerator<unknown, unknown> {
  return typeof given === 'object' && given !== null && Symbol.asyncIterator in given && 'next' in given
}

function isStepAnswer(value: unknown): value is StepAnswer {
  return isFailure(value) || (isRecord(value) && ['next', 'output', 'delegate'].includes(String(value.step)))
}

/** Streams what a generator yields, and gives what it returns; one that was told to stop is closed at its next yield. */
async function pull(generator: AsyncGenerator<unknown, unknown>, context: ToolContext): Promise<unknown> {
  for (;;) {
    const { done, value } = await generator.next()
    if (done) return value
    context.delta(String(value))
    if (!context.signal.aborted) continue
    await generator.return(undefined)
    context.signal.throwIfAborted()
  }
}

/** Rejects where the work takes too long; the work itself goes on. */
async function inTime(work: () => Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`it took longer than ${CLEANUP_TIME / 1000} s and was left behind`)),
    CLEANUP_TIME,
  )
  try {
    await Promise.race([work(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
