import { isFailure, type Result, ToolError } from '../../../core/call/result.ts'
import { isRecord } from '../../../core/text/json.ts'
import type { Steps as ToolSteps } from '../../../core/tool/pipeline.ts'
import { takeStep } from '../../../core/tool/take-step.ts'
import type { CallMessage, PlanShape, Returned, StepOrder, StepReply } from '../protocol.ts'
import type { FolderContext } from './folder-context.ts'
import type { LoadedTool } from './loaded-tool.ts'

/** How many calls with steps are remembered; a call that a person denied in another process is never finished here. */
const MAX_CALLS = 1_000

/** A plan whose steps get what tools of a folder get. */
interface FolderPlan {
  readonly steps: readonly { run(value: unknown, context: FolderContext): unknown }[]
  readonly approvalAt: number | undefined
  readonly cleanups: readonly ((result: Result, context: FolderContext) => unknown)[]
}

/** The steps of a call under way, and what the next one is given. */
interface Steps {
  readonly plan: FolderPlan
  /** How many steps have ended. */
  done: number
  value: unknown
}

/** What running a step needs besides the tool and its input. */
export interface StepParts {
  readonly message: CallMessage
  readonly context: FolderContext
  /** Checks what a step puts out. */
  finish(value: unknown): Promise<Returned>
}

const calls = new Map<string, Steps>()

/** Answers for the shape of a call's steps, runs one of them, or runs a cleanup. Throws what the tool throws. */
export async function runSteps(tool: LoadedTool, input: unknown, parts: StepParts): Promise<unknown> {
  const { member, step } = parts.message
  if (member === 'plan') return shapeOf(readPlan(await tool.steps?.(input)))
  if (step === undefined) throw new Error('no step is named')
  const steps = await findSteps(tool, input, { ...parts, step })
  if (member === 'step') {
    if (step.index === step.shape.steps - 1 && step.shape.cleanups === 0) calls.delete(parts.context.call)
    return runStep(steps, parts, step)
  }
  if (step.index >= step.shape.cleanups - 1) calls.delete(parts.context.call)
  // Haft made the result.
  return steps.plan.cleanups[step.index]?.(step.result as Result, parts.context)
}

/** The steps of the call. Those before the approval point only read, so a process that has not run them does it now. */
async function findSteps(tool: LoadedTool, input: unknown, parts: StepParts & { step: StepOrder }): Promise<Steps> {
  const { context, step, message } = parts
  const known = calls.get(context.call)
  if (known && (message.member === 'cleanup' || known.done === step.index)) return known
  const plan = readPlan(await tool.steps?.(input))
  const made: Steps = { plan, done: 0, value: undefined }
  if (message.member === 'cleanup') return made
  const { steps, approvalAt } = shapeOf(plan)
  if (steps !== step.shape.steps || approvalAt !== step.shape.approvalAt)
    throw new ToolError('CONFLICT', `${tool.name} has other steps than when the call was prepared. Call it again.`)
  if (step.index > (approvalAt ?? 0))
    throw new ToolError(
      'INTERRUPTED',
      `The process of ${tool.name} ended between two steps; what it had done by then stays done.`,
    )
  remember(context.call, made)
  while (made.done < step.index) {
    const reply = await runStep(
      made,
      { ...parts, context: { ...context, delta: () => undefined } },
      { ...step, index: made.done },
    )
    if (isFailure(reply)) throw new ToolError(reply.code, reply.text)
    if (reply.step === 'delegate')
      throw new ToolError(
        'CONFLICT',
        `${tool.name} asked the app before it was approved, and its process has ended since. Call it again.`,
      )
  }
  return made
}

function remember(call: string, steps: Steps): void {
  const [oldest] = calls.keys()
  if (calls.size >= MAX_CALLS && oldest !== undefined) calls.delete(oldest)
  calls.set(call, steps)
}

async function runStep(steps: Steps, { context, finish }: StepParts, order: StepOrder): Promise<StepReply> {
  const step = steps.plan.steps[order.index]
  if (step === undefined) throw new Error(`there is no step ${order.index}`)
  const given = 'answer' in order ? order.answer : steps.value
  const answered = await takeStep(step, given, context)
  if (isFailure(answered)) return answered
  steps.done = order.index + 1
  if (answered.step === 'delegate') return { step: 'delegate', effect: answered.effect }
  steps.value = answered.value
  if (answered.step === 'output') return { step: 'output', returned: await finish(answered.value) }
  return { step: 'next', ...(answered.seen && { seen: answered.seen }) }
}

function readPlan(plan: unknown): FolderPlan {
  const isPlan = isRecord(plan) && Array.isArray(plan.steps) && Array.isArray(plan.cleanups)
  if (!isPlan) throw new Error('The steps of the tool are not a pipeline; expected what pipeline().step(…) returns.')
  return plan as unknown as ToolSteps & FolderPlan
}

function shapeOf({ steps, approvalAt, cleanups }: FolderPlan): PlanShape {
  return { steps: steps.length, approvalAt, cleanups: cleanups.length }
}
