import type { ClearedCall } from '../../core/call/call.ts'
import { type Failure, failure, failureOf, ToolError } from '../../core/call/result.ts'
import { Limit, type LimitListener } from '../stopping/deadlines.ts'
import type { Stop } from '../stopping/stop.ts'
import type { CallContext, MakeConfirm } from './call-context.ts'

/** Seconds a call may take when its tool says nothing else, and at most in the foreground. */
export const DEFAULT_SECONDS = 60
export const MAX_SECONDS = 600

/** The same for a call in the background that names no limit itself. */
export const TASK_SECONDS = 24 * 60 * 60

/** How long a tool that was told to stop is waited for, in milliseconds. */
export const GRACE = 250

/** What running needs of the house. */
export interface Workshop {
  readonly context: CallContext
  readonly stop: Stop
  /** Seconds, in place of the tool's own limit. */
  readonly seconds: number | undefined
  readonly isTask: boolean
  readonly makeConfirm: MakeConfirm
}

/** What a tool returned, nobody having looked at it yet. */
export interface Returned {
  readonly value: unknown
}

/** Runs a cleared call under its time limit. Ends when the tool ends, the limit passes or the caller cancels, whichever is first; never throws. */
export function execute(call: ClearedCall, workshop: Workshop): Returned | Failure | Promise<Returned | Failure> {
  const { context } = workshop
  const { tool } = call.entry
  try {
    const seconds = limitOf(call, workshop)
    context.open(call, workshop.makeConfirm)
    const work = tool.execute ? tool.execute(call.input, context) : context.plan?.execute(context)
    if (isPending(work)) return waitFor(Promise.resolve(work), { call, workshop, seconds })
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

/** Resolves to what comes first: the tool's end, its limit, or the caller's wish. */
function waitFor(work: Promise<unknown>, running: Running): Promise<Returned | Failure> {
  return new Promise((resolve) => new Wait(work, running, resolve).begin())
}

interface Running {
  readonly call: ClearedCall
  readonly workshop: Workshop
  /** How long it may run; known before it began, so that no tool runs without a limit. */
  readonly seconds: number
}

type Resolve = (outcome: Returned | Failure) => void

/** One tool at work that is waited for. */
class Wait implements LimitListener {
  readonly #work: Promise<unknown>
  readonly #running: Running
  readonly #resolve: Resolve
  readonly #limit: Limit
  #ended: End | undefined
  readonly #cancel = () => this.#halt('CANCELLED')

  constructor(work: Promise<unknown>, running: Running, resolve: Resolve) {
    this.#work = work
    this.#running = running
    this.#resolve = resolve
    this.#limit = new Limit(running.seconds * 1000, this)
  }

  begin(): void {
    const { stop } = this.#running.workshop
    this.#limit.goOn()
    stop.onCancel(this.#cancel)
    stop.setLimit(this.#limit)
    if (stop.isCancelled) this.#halt('CANCELLED')
    this.#work.then(
      (value) => this.#ended ?? this.#finish({ value }),
      (thrown) => this.#ended ?? this.#finish(failureOf(thrown)),
    )
  }

  pass(): void {
    this.#halt('TIMEOUT')
  }

  remind(milliseconds: number): void {
    this.#running.workshop.context.remind(milliseconds / 1000)
  }

  #finish(outcome: Returned | Failure): void {
    const { workshop } = this.#running
    this.#limit.end()
    workshop.stop.offCancel(this.#cancel)
    workshop.stop.setLimit(undefined)
    workshop.context.close()
    this.#resolve(outcome)
  }

  /** Tells the tool to stop, and waits a moment longer for what becomes of it. */
  #halt(end: End): void {
    if (this.#ended !== undefined) return
    this.#ended = end
    const grace = setTimeout(() => this.#finish(this.#describe(end, 'running')), GRACE)
    const late = (fate: Fate, thrown?: unknown) => {
      clearTimeout(grace)
      this.#finish(this.#describe(end, fate, thrown))
    }
    this.#work.then(
      () => late('finished'),
      (thrown) => late('stopped', thrown),
    )
    const { seconds, workshop } = this.#running
    const reason = end === 'TIMEOUT' ? `the limit of ${seconds} s passed` : 'the call was cancelled'
    workshop.stop.abort(new Error(reason))
  }

  #describe(end: End, fate: Fate, thrown?: unknown): Failure {
    const { call, workshop, seconds } = this.#running
    return describeEnd({
      call,
      end,
      fate,
      seconds,
      partial: workshop.context.output?.partial ?? '',
      words: ownWords(thrown),
    })
  }
}

/** Always a number: one limit that is none would stop the timer of all the others. */
function limitOf({ entry, arguments: sent, input }: ClearedCall, { seconds: asked, isTask }: Workshop): number {
  const isNamed = !isTask || 'timeout' in sent
  const wished = asked ?? (isNamed ? (entry.tool.timeout?.(input) ?? DEFAULT_SECONDS) : TASK_SECONDS)
  const seconds = Math.min(Math.max(Number(wished), 0.001), isTask ? TASK_SECONDS : MAX_SECONDS)
  return Number.isNaN(seconds) ? DEFAULT_SECONDS : seconds
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
