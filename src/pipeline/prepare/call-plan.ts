import { type Failure, failure, isFailure, messageOf, type Result, ToolError } from '../../core/call/result.ts'
import { isRecord } from '../../core/text/json.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import type { StepAnswer, Steps } from '../../core/tool/pipeline.ts'
import type { Prepared } from '../../core/tool/prepared.ts'
import { takeStep } from '../../core/tool/take-step.ts'

/** How long a cleanup may take, in milliseconds. */
const CLEANUP_TIME = 5_000

const BETWEEN_STEPS = 'It stopped between two steps; what it had done by then is not reverted.'

/** The context of a cleanup, until it is closed. */
export interface CleanupContext extends ToolContext {
  close(): void
}

/** The steps of one call: those before the approval point run in prepare, the others in execute. */
export class CallPlan {
  readonly #plan: Steps
  #at = 0
  #value: unknown
  #output: unknown
  #seen: Prepared = {}

  /** Throws if the value is not a plan. */
  constructor(plan: Steps) {
    if (!isPlan(plan)) throw new Error('The tool did not return steps; expected the result of pipeline().step(…).')
    this.#plan = plan
  }

  /** True if the steps contain an approval point. */
  get hasApproval(): boolean {
    return this.#plan.approvalAt !== undefined
  }

  /** Runs the steps before the approval point. Resolves to their preview and `expects`, or to a failure. */
  async prepare(context: ToolContext): Promise<Prepared | Failure> {
    const failed = await this.#run(this.#plan.approvalAt ?? 0, context)
    return failed ?? this.#seen
  }

  /** Runs the other steps and resolves to the output that was set last. Rejects if a step fails. */
  async execute(context: ToolContext): Promise<unknown> {
    const failed = await this.#run(this.#plan.steps.length, context)
    if (failed === undefined) return this.#output
    const { code, text, ok: _, ...extras } = failed
    throw new ToolError(code, text, extras)
  }

  /** Runs all cleanups and resolves to a description of each problem. To be called once. Never rejects. */
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

  /** Resolves to the value for the next step. */
  async #goOn(answered: Exclude<StepAnswer, Failure>, context: ToolContext): Promise<unknown> {
    if (answered.step === 'delegate') return context.delegate(answered.effect)
    if (answered.step === 'output') this.#output = answered.value
    else if (answered.seen) this.#seen = addSeen(this.#seen, answered.seen)
    return answered.value
  }
}

function isPlan(plan: unknown): plan is Steps {
  return isRecord(plan) && Array.isArray(plan.steps) && Array.isArray(plan.cleanups)
}

function addSeen(before: Prepared, { preview, summary, expects, cannotUndo, isTrusted }: Prepared): Prepared {
  return {
    ...before,
    ...(preview && { preview }),
    ...(summary && { summary }),
    ...(cannotUndo && { cannotUndo }),
    ...(isTrusted && { isTrusted }),
    ...(expects && { expects: { ...before.expects, ...expects } }),
  }
}

/** Rejects if the work takes too long. The work itself is not stopped. */
async function inTime(work: () => Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`it took longer than ${CLEANUP_TIME / 1000} s; Haft no longer waits for it`)),
    CLEANUP_TIME,
  )
  try {
    await Promise.race([work(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
