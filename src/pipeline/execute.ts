import type { ClearedCall } from '../core/call.ts'
import { type Failure, failure, failureOf, ToolError } from '../core/result.ts'
import type { CallContext, Confirm } from './call-context.ts'
import { startLimit } from './deadlines.ts'
import type { Stop } from './stop.ts'

/** Seconds a call may take when its tool says nothing else, and at most in the foreground. */
export const DEFAULT_SECONDS = 60
export const MAX_SECONDS = 600

/** The same for a call in the background that names no limit itself. */
export const TASK_SECONDS = 24 * 60 * 60

/** How long a tool that was told to stop is waited for, in milliseconds. */
const GRACE = 250

/** What running needs of the house. */
export interface Workshop {
  readonly context: CallContext
  readonly stop: Stop
  /** Seconds, in place of the tool's own limit. */
  readonly seconds: number | undefined
  readonly isTask: boolean
  /** Asks a person about what a command did to files that other programs trust; rejects where it may not be applied. */
  readonly confirm: Confirm
}

/** What a tool returned, nobody having looked at it yet. */
export interface Returned {
  readonly value: unknown
}

/** Runs a cleared call under its time limit. Ends when the tool ends, the limit passes or the caller cancels, whichever is first; never throws. */
export function execute(call: ClearedCall, workshop: Workshop): Returned | Failure | Promise<Returned | Failure> {
  const { context } = workshop
  const { tool } = call.entry
  context.open(call, workshop.confirm)
  try {
    const work = tool.execute ? tool.execute(call.input, context) : context.plan?.execute(context)
    if (isPending(work)) return waitFor(work, call, workshop)
    context.close()
    return { value: work }
  } catch (thrown) {
    context.close()
    return failureOf(thrown)
  }
}

function isPending(work: unknown): work is PromiseLike<unknown> {
  return typeof work === 'object' && work !== null && 'then' in work && typeof work.then === 'function'
}

type End = 'TIMEOUT' | 'CANCELLED'

function waitFor(work: PromiseLike<unknown>, call: ClearedCall, workshop: Workshop): Promise<Returned | Failure> {
  const { context, stop } = workshop
  const seconds = limitOf(call, workshop)
  return new Promise((resolve) => {
    let ended: End | undefined
    const limit = startLimit(seconds * 1000, {
      pass: () => halt('TIMEOUT'),
      remind: (milliseconds) => context.sayProgress(milliseconds / 1000),
    })
    const finish = (outcome: Returned | Failure) => {
      limit.end()
      stop.hear(undefined)
      context.close()
      resolve(outcome)
    }
    const halt = (end: End) => {
      if (ended !== undefined) return
      ended = end
      const grace = setTimeout(() => finish(stopped(end, 'running')), GRACE)
      const late = (fate: Fate, thrown?: unknown) => {
        clearTimeout(grace)
        finish(stopped(end, fate, thrown))
      }
      work.then(
        () => late('finished'),
        (thrown) => late('stopped', thrown),
      )
      stop.abort(new Error(end === 'TIMEOUT' ? `the limit of ${seconds} s passed` : 'the call was cancelled'))
    }
    const stopped = (end: End, fate: Fate, thrown?: unknown) =>
      describeEnd({ call, end, fate, seconds, partial: context.said, words: ownWords(thrown) })
    stop.hear(() => halt('CANCELLED'), limit)
    if (stop.wished) halt('CANCELLED')
    work.then(
      (value) => ended ?? finish({ value }),
      (thrown) => ended ?? finish(failureOf(thrown)),
    )
  })
}

function limitOf({ entry, input }: ClearedCall, { seconds: asked, isTask }: Workshop): number {
  const isNamed = !isTask || 'timeout' in input
  const seconds = asked ?? (isNamed ? (entry.tool.timeout?.(input) ?? DEFAULT_SECONDS) : TASK_SECONDS)
  return Math.min(Math.max(seconds, 0.001), isTask ? TASK_SECONDS : MAX_SECONDS)
}

type Fate = 'stopped' | 'finished' | 'running'

const FATES: Readonly<Record<Fate, string>> = {
  stopped: 'It was told to stop and has stopped; what it had done by then stays done.',
  finished:
    'It was told to stop but finished all the same a moment later, so its effect has happened; its result was dropped.',
  running: `It was told to stop and has not stopped within ${GRACE} ms, so it may still be running.`,
}

/** How a tool that heeded the stop says it stopped: what it throws with the code CANCELLED. */
function ownWords(thrown: unknown): string | undefined {
  return thrown instanceof ToolError && thrown.code === 'CANCELLED' ? thrown.message : undefined
}

interface Ended {
  readonly call: ClearedCall
  readonly end: End
  readonly fate: Fate
  readonly seconds: number
  readonly partial: string
  readonly words: string | undefined
}

function describeEnd({ call, end, fate, seconds, partial, words }: Ended): Failure {
  const what = end === 'TIMEOUT' ? `passed its time limit of ${seconds} s` : 'was cancelled'
  const said = partial === '' ? '' : ` Its output until then is in details.partial.`
  return failure(end, `${call.entry.tool.name} ${what}. ${words ?? FATES[fate]}${said}`, {
    details: { work: fate, ...(partial !== '' && { partial }), ...(end === 'TIMEOUT' && { seconds }) },
    ...(end === 'TIMEOUT' && { retryable: true }),
  })
}
