import { answer, isFailure, type Result, ToolError } from '../../core/call/result.ts'
import { isRecord } from '../../core/text/json.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import type { DelegateEffect } from '../../core/tool/delegate.ts'
import { delegate, next, output, type StepAnswer, type Steps } from '../../core/tool/pipeline.ts'
import type { Prepared } from '../../core/tool/prepared.ts'
import type { PlanShape, StepOrder } from './protocol.ts'

/** The most steps that one call may have. */
const MAX_STEPS = 1_000

/** Runs a member of the tool in its process. */
export type AskSteps = (
  member: 'plan' | 'step' | 'cleanup',
  given?: { readonly context: ToolContext; readonly step: StepOrder },
) => Promise<unknown>

/** The steps of one call, each of which runs in the tool's process. What one gives the next stays there. Rejects where the tool gives no steps. */
export async function makeRemoteSteps(tool: string, ask: AskSteps): Promise<Steps> {
  const shape = readShape(await ask('plan'), tool)
  let isAnswered = false
  const runStep = async (index: number, value: unknown, context: ToolContext): Promise<StepAnswer> => {
    const step = { index, shape, ...(isAnswered && { answer: value }) }
    const reply = readReply(await ask('step', { context, step }), tool)
    isAnswered = !isFailure(reply) && reply.step === 'delegate'
    return reply
  }
  return {
    approvalAt: shape.approvalAt,
    steps: Array.from({ length: shape.steps }, (_, index) => ({
      run: (value: unknown, context: ToolContext) => runStep(index, value, context),
    })),
    cleanups: Array.from({ length: shape.cleanups }, (_, index) => (result: Result, context: ToolContext) => {
      return ask('cleanup', { context, step: { index, shape, result } })
    }),
  }
}

function readShape(given: unknown, tool: string): PlanShape {
  const { steps, cleanups, approvalAt } = isRecord(given) ? given : {}
  const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) <= MAX_STEPS
  if (isCount(steps) && isCount(cleanups) && (approvalAt === undefined || isCount(approvalAt)))
    return { steps, cleanups, approvalAt }
  throw new ToolError('EXECUTION_ERROR', `${tool} did not say which steps it has`)
}

/** What a step answered. A tool file may make its process say anything. */
function readReply(reply: unknown, tool: string): StepAnswer {
  if (isFailure(reply)) return reply
  const { step, seen, effect, returned } = isRecord(reply) ? reply : {}
  if (step === 'next') return next(undefined, isRecord(seen) ? (seen as Prepared) : undefined)
  // Whether it is one that the app can do is looked at by who asks the app.
  if (step === 'delegate' && isRecord(effect)) return delegate(effect as unknown as DelegateEffect)
  if (step === 'output') return output(readReturned(returned, tool))
  throw new ToolError('EXECUTION_ERROR', `a step of ${tool} did not answer`)
}

/** What a tool returned, as its process sent it. */
export function readReturned(returned: unknown, tool: string): unknown {
  if (!isRecord(returned)) throw new ToolError('EXECUTION_ERROR', `${tool} gave no result`)
  const { data, text, frame } = returned
  if (typeof text !== 'string') return data
  return typeof frame === 'string' ? { ...answer(text, data), frame } : answer(text, data)
}
