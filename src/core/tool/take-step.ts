import { isFailure, ToolError } from '../call/result.ts'
import { isRecord } from '../text/json.ts'
import type { ToolContext } from './context.ts'
import type { StepAnswer } from './pipeline.ts'

/** Where the yields of a step go, and what stops it. */
type StepContext = Pick<ToolContext, 'delta' | 'signal'>

/** Runs one step to its answer. Throws what the step throws, and where it answers with anything else. */
export async function takeStep<Context extends StepContext>(
  step: { run(value: unknown, context: Context): unknown },
  value: unknown,
  context: Context,
): Promise<StepAnswer> {
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

/** Streams what a generator yields, and gives what it returns; one that should stop is closed at its next yield. */
async function pull(generator: AsyncGenerator<unknown, unknown>, context: StepContext): Promise<unknown> {
  for (;;) {
    const { done, value } = await generator.next()
    if (done) return value
    context.delta(String(value))
    if (!context.signal.aborted) continue
    await generator.return(undefined)
    context.signal.throwIfAborted()
  }
}
