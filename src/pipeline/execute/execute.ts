import type { ClearedCall } from '../../core/call/call.ts'
import { type Failure, failure, failureOf, ToolError } from '../../core/call/result.ts'
import { createConfirm } from '../approve/confirm-change.ts'
import type { CallRun } from '../call-run.ts'
import type { CallContext } from '../context/call-context.ts'
import { holdClaim } from '../ordering/path-claims.ts'
import type { Stage } from '../stage.ts'
import { Limit } from '../stopping/deadlines.ts'
import { DEFAULT_SECONDS, GRACE, MAX_SECONDS, TASK_SECONDS } from '../stopping/limits.ts'
import type { CancelHandler } from '../stopping/stop.ts'
import { noteUnkept } from './note-unkept.ts'

/** What the tool of a call returned, unchecked. */
export interface Returned {
  readonly call: ClearedCall
  readonly value: unknown
}

/** Runs a cleared call under its time limit. Ends when the tool ends, the limit passes or the caller cancels, whichever is first. */
export function execute(call: ClearedCall, run: CallRun): Stage<Returned> {
  return run.claim ? holdClaim(run.claim, () => runTool(call, run)) : runTool(call, run)
}

/** Runs the tool. Never throws; an error of the tool becomes a failure. */
function runTool(call: ClearedCall, run: CallRun): Stage<Returned> {
  const { context } = run
  const { tool } = call.entry
  try {
    const seconds = limitOf(call, run)
    context.open(call, () => createConfirm(call, run))
    const work = tool.execute ? tool.execute(call.input, context) : context.plan?.execute(context)
    if (isPending(work)) return new Wait(Promise.resolve(work), { call, run, seconds }).outcome
    return end({ call, value: work }, call, context)
  } catch (thrown) {
    return end(failureOf(thrown), call, context)
  }
}

/** Ends the work of a tool, and records what it may have changed by itself. */
function end(returned: Returned | Failure, call: ClearedCall, context: CallContext): Returned | Failure {
  context.close()
  try {
    noteUnkept(call, returned, context)
    return returned
  } catch (thrown) {
    return failureOf(thrown)
  }
}

function isPending(work: unknown): work is PromiseLike<unknown> {
  return typeof work === 'object' && work !== null && 'then' in work && typeof work.then === 'function'
}

type End = 'TIMEOUT' | 'CANCELLED'

interface Running {
  readonly call: ClearedCall
  readonly run: CallRun
  /** The time limit. It is known before the tool starts, so that no tool runs without a limit. */
  readonly seconds: number
}

/** Waits for one running tool, under its time limit. */
class Wait extends Limit implements CancelHandler {
  /** Resolves to what comes first: the tool's end, its limit, or a cancel request. */
  readonly outcome: Promise<Returned | Failure>
  readonly #work: Promise<unknown>
  readonly #running: Running
  readonly #resolve: (outcome: Returned | Failure) => void
  #ended: End | undefined

  constructor(work: Promise<unknown>, running: Running) {
    super(running.seconds * 1000)
    const { promise, resolve } = Promise.withResolvers<Returned | Failure>()
    this.outcome = promise
    this.#work = work
    this.#running = running
    this.#resolve = resolve
    this.#begin()
  }

  #begin(): void {
    const { call, run } = this.#running
    const { stop, move } = run.request
    this.goOn()
    stop.onCancel(this)
    stop.setLimit(this)
    if (move) stop.setMover(() => this.#moveToBackground(move))
    if (stop.isCancelled) this.cancel()
    this.#work.then(
      (value) => this.#ended ?? this.#finish({ call, value }),
      (thrown) => this.#ended ?? this.#finish(failureOf(thrown)),
    )
  }

  cancel(): void {
    this.#halt('CANCELLED')
  }

  protected override pass(): void {
    this.#halt('TIMEOUT')
  }

  protected override remind(milliseconds: number): void {
    this.#running.run.context.remind(milliseconds / 1000)
  }

  /** From now on the time limit of a task counts, unless the call named its own. */
  #moveToBackground(move: () => void): void {
    const { call, run, seconds } = this.#running
    if (run.request.timeout === undefined && !('timeout' in call.arguments))
      this.extend((TASK_SECONDS - seconds) * 1000)
    move()
  }

  #finish(outcome: Returned | Failure): void {
    const { call, run } = this.#running
    const { stop } = run.request
    this.end()
    stop.offCancel(this)
    stop.setLimit(undefined)
    stop.setMover(undefined)
    this.#resolve(end(outcome, call, run.context))
  }

  /** Asks the tool to stop, and waits a short time for its end. */
  #halt(ended: End): void {
    if (this.#ended !== undefined) return
    this.#ended = ended
    const grace = setTimeout(() => this.#finish(this.#describe(ended, 'running')), GRACE)
    const late = (fate: Fate, thrown?: unknown) => {
      clearTimeout(grace)
      this.#finish(this.#describe(ended, fate, thrown))
    }
    this.#work.then(
      () => late('finished'),
      (thrown) => late('stopped', thrown),
    )
    const { seconds, run } = this.#running
    const reason = ended === 'TIMEOUT' ? `the limit of ${seconds} s passed` : 'the call was cancelled'
    run.request.stop.abort(new Error(reason))
  }

  #describe(end: End, fate: Fate, thrown?: unknown): Failure {
    const { call, run, seconds } = this.#running
    return describeEnd({
      call,
      end,
      fate,
      seconds,
      partial: run.context.output?.partial ?? '',
      words: ownWords(thrown),
    })
  }
}

/** Always returns a valid number, because NaN would stop the timer of all other calls. */
function limitOf({ entry, arguments: sent, input }: ClearedCall, { request }: CallRun): number {
  const { timeout: asked, task } = request
  const isTask = task !== undefined
  const isNamed = !isTask || 'timeout' in sent
  const limit = asked ?? (isNamed ? (entry.tool.timeout?.(input) ?? DEFAULT_SECONDS) : TASK_SECONDS)
  const seconds = Math.min(Math.max(Number(limit), 0.001), isTask ? TASK_SECONDS : MAX_SECONDS)
  return Number.isNaN(seconds) ? DEFAULT_SECONDS : seconds
}

type Fate = 'stopped' | 'finished' | 'running'

const FATES: Readonly<Record<Fate, string>> = {
  stopped: 'It stopped when asked; what it had done by then is not reverted.',
  finished: 'It was asked to stop but finished a moment later, so its effect has happened; its result was dropped.',
  running: `It was asked to stop and has not stopped within ${GRACE} ms, so it may still be running.`,
}

/** Returns the message of a tool that stopped when asked: the text of its error with the code CANCELLED. */
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
  return failure(end, `${call.entry.tool.name} ${what}. ${words ?? FATES[fate]}`, {
    details: { work: fate, ...(partial !== '' && { partial }), ...(end === 'TIMEOUT' && { seconds }) },
    ...(end === 'TIMEOUT' && { retryable: true }),
  })
}
