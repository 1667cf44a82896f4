import type { ClearedCall } from '../../core/call/call.ts'
import { ToolError } from '../../core/call/result.ts'
import type { RunOrder, RunOwner, RunReport } from '../../core/ports/sandbox.ts'
import type { Parts, Request } from '../request.ts'
import { TASK_SECONDS } from '../stopping/limits.ts'
import { networkOf } from './call-network.ts'

/** The call, and how it is stopped. */
export type ContextCall = Pick<Request, 'id' | 'session' | 'stop' | 'task' | 'approver' | 'wait' | 'mode'> &
  Partial<Pick<Request, 'snapshot'>>

/** Asks a person about what a program really changed. */
type Confirm = Required<RunOwner>['confirm']

/** The settings for a program in the background: it has the time limit of its call. */
const TASK_LIMITS = { seconds: TASK_SECONDS, cpuSeconds: TASK_SECONDS } as const

/** In the mode review a person approves what a command really changed, whatever the rules allow; changes of git-ignored files alone ask nothing. */
const IN_REVIEW = {
  decision: 'ask',
  rule: 'mode review',
  reason: 'it changed files, and the mode review asks',
} as const

/** Why nothing is kept of what a program changes outside an overlay. */
const ON_THE_WORKSPACE = 'it ran on the workspace itself, so nothing was kept of what it changed'

/** The programs that one call runs in the sandbox. */
export class CallPrograms {
  readonly #call: ContextCall
  readonly #parts: Parts
  #makeConfirm: (() => Confirm) | undefined
  #confirm: Confirm | undefined
  #hasRun = false

  constructor(call: ContextCall, parts: Parts) {
    this.#call = call
    this.#parts = parts
  }

  /** True once a program was run. What it changed is kept, or recorded as not kept. */
  get hasRun(): boolean {
    return this.#hasRun
  }

  /** From now on programs may be run; `makeConfirm` is called for the first of them. */
  open(makeConfirm: () => Confirm): void {
    this.#makeConfirm = makeConfirm
  }

  /** Runs a program on behalf of the call; of a call that plans, nothing is applied. Throws ToolError before `open` and after `close`. */
  async run(order: RunOrder, cleared: ClearedCall | undefined): Promise<RunReport> {
    if (this.#makeConfirm === undefined || cleared === undefined)
      throw new ToolError(
        'EXECUTION_ERROR',
        `${cleared?.entry.tool.name ?? 'A tool'} tried to run a program while it was not running.`,
      )
    const { task, mode } = this.#call
    if (mode === 'plan') return this.dryRun(order)
    const given = task ? { ...order, background: true, limits: { ...TASK_LIMITS, ...order.limits } } : order
    this.#confirm ??= this.#makeConfirm()
    this.#hasRun = true
    if (given.direct) this.noteUnkept(ON_THE_WORKSPACE)
    const report = await this.#runConnected(given, cleared, this.#confirm)
    if (report.mode === 'direct' || report.mode === 'bare') this.noteUnkept(ON_THE_WORKSPACE)
    return report
  }

  /** Runs a program with the network that its call was cleared for; its connections and ports are closed with it. */
  async #runConnected(order: RunOrder, cleared: ClearedCall, confirm: Confirm): Promise<RunReport> {
    const ended = new AbortController()
    const network = networkOf({ call: cleared, order, signal: ended.signal }, this.#parts)
    try {
      const report = await this.#parts.sandbox.run(
        network ? { ...order, network } : order,
        this.#ownerOf(cleared, confirm),
      )
      return network?.refused.size ? { ...report, refused: [...network.refused] } : report
    } finally {
      ended.abort()
    }
  }

  #ownerOf(cleared: ClearedCall, confirm: Confirm): RunOwner {
    const { id: call, stop, mode } = this.#call
    const { judge } = this.#parts
    const { approvedPaths } = cleared
    return {
      call,
      signal: stop.signal,
      ...(mode && { mode }),
      judge(changes) {
        const verdict = judge.judgeChanges(cleared, changes)
        const first = changes.find(({ isIgnored }) => !isIgnored)
        const isReviewed = mode === 'review' && verdict.decision === 'allow' && first !== undefined
        return isReviewed ? { ...IN_REVIEW, path: first.path } : verdict
      },
      confirm,
      ...(approvedPaths && { approvedPaths }),
    }
  }

  /** Runs a program on an overlay and applies nothing, so it may be used before the commit point. */
  dryRun(order: RunOrder): Promise<RunReport> {
    const { id: call, stop } = this.#call
    return this.#parts.sandbox.run({ ...order, dryRun: true, direct: false }, { call, signal: stop.signal })
  }

  /** Records that the call may have changed files without keeping what it replaced. */
  noteUnkept(reason: string): void {
    const { workspace, storage } = this.#parts
    storage.undo.noteUnkept({ call: this.#call.id, workspace, reason })
  }

  /** From now on no program may be run. */
  close(): void {
    this.#makeConfirm = undefined
  }
}
