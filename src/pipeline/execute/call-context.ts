import type { ClearedCall, ValidCall } from '../../core/call/call.ts'
import { failure, type Result, ToolError } from '../../core/call/result.ts'
import type { Tasks } from '../../core/call/task.ts'
import type { Files, FilesDoor } from '../../core/ports/files.ts'
import type { Outputs } from '../../core/ports/outputs.ts'
import type { RunOrder, RunOwner, RunReport, Sandbox } from '../../core/ports/sandbox.ts'
import type { Storage } from '../../core/ports/storage.ts'
import type { Judge } from '../../core/rules/rule.ts'
import { maskSecrets } from '../../core/secrets/mask-secrets.ts'
import type { EventBody } from '../../core/session/event.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import { type Delegate, type DelegateAnswer, type DelegateEffect, NOBODY_THERE } from '../../core/tool/delegate.ts'
import { reads } from '../../core/tool/touch.ts'
import type { CallPlan } from '../prepare/call-plan.ts'
import { lookingOnly } from '../prepare/looking-only.ts'
import { Stop } from '../stopping/stop.ts'
import { CallOutput } from './call-output.ts'
import { TASK_SECONDS } from './execute.ts'

/** What a program in the background may use: its time is its call's, and it works on the workspace itself. */
const TASK_LIMITS = { seconds: TASK_SECONDS, cpuSeconds: TASK_SECONDS } as const

/** Why nothing is kept of what a program changes outside an overlay. */
const ON_THE_WORKSPACE = 'it ran on the workspace itself, so nothing was kept of what it changed'

/** What a context needs of the house. */
export interface ContextParts {
  readonly workspace: string
  readonly storage: Pick<Storage, 'outputs' | 'undo'>
  readonly desk: { readonly secrets: readonly RegExp[] }
  readonly files: FilesDoor
  readonly sandbox: Sandbox
  readonly judge: Judge
  /** Who is asked to open and show things; undefined where nobody shall be. */
  readonly delegate: Delegate | undefined
  readonly tasks: Tasks
  emit(body: EventBody): void
}

/** Asks a person about what a program did to files that other programs trust. */
type Confirm = Required<RunOwner>['confirm']

/** Makes what asks; called where a program is run, and once a call. */
export type MakeConfirm = () => Confirm

/** Which call it is, and how it is stopped. */
export interface ContextCall {
  readonly id: string
  readonly session: string
  readonly stop: Stop
  /** There where it runs in the background. */
  readonly task?: object | undefined
}

/** What one call's tool may reach. Files can be changed and programs run only while the tool runs; nothing is said after its end. */
export class CallContext implements ToolContext {
  readonly #own: ContextCall
  readonly #parts: ContextParts
  #valid: ValidCall | undefined
  #plan: CallPlan | undefined
  #cleared: ClearedCall | undefined
  #isOver = false
  #makeConfirm: MakeConfirm | undefined
  #confirm: Confirm | undefined
  #isGuarded = false
  #output: CallOutput | undefined

  constructor(own: ContextCall, parts: ContextParts) {
    this.#own = own
    this.#parts = parts
  }

  get session(): string {
    return this.#own.session
  }

  get call(): string {
    return this.#own.id
  }

  get workspace(): string {
    return this.#parts.workspace
  }

  get outputs(): Outputs {
    return this.#parts.storage.outputs
  }

  /** How this call is stopped. */
  get stop(): Stop {
    return this.#own.stop
  }

  get signal(): AbortSignal {
    return this.#own.stop.signal
  }

  /** What the call has put out so far; undefined where that is nothing. */
  get output(): CallOutput | undefined {
    return this.#output
  }

  /** Made when a tool takes it: to look at before the line and after the end, in the call's name between them. */
  get files(): Files {
    const { files, judge } = this.#parts
    const cleared = this.#cleared
    const call = cleared ?? this.#valid
    if (call === undefined) throw new Error('a context gives files only once its call is known')
    const findDeny = (path: string) => judge.findDeny(call, reads(path))
    if (cleared === undefined || this.#isOver) return lookingOnly(files.looking(findDeny), this.#tool)
    this.#isGuarded = true
    return files.forCall({ id: this.call, expects: cleared.expects, signal: this.signal, findDeny })
  }

  /** Made when a tool takes it, as the others are; refuses before the line. */
  get run(): (order: RunOrder) => Promise<RunReport> {
    return async (order) => {
      const makeConfirm = this.#makeConfirm
      if (makeConfirm === undefined || this.#isOver)
        throw new ToolError('EXECUTION_ERROR', `${this.#tool} tried to run a program while it was not running.`)
      const given = this.#own.task ? { ...order, direct: true, limits: { ...TASK_LIMITS, ...order.limits } } : order
      this.#confirm ??= makeConfirm()
      this.#isGuarded = true
      if (given.direct) this.noteUnkept(ON_THE_WORKSPACE)
      const owner = { call: this.call, signal: this.signal, confirm: this.#confirm }
      const report = await this.#parts.sandbox.run(given, owner)
      if (report.mode === 'direct' || report.mode === 'bare') this.noteUnkept(ON_THE_WORKSPACE)
      return this.#cleared?.needsNetwork ? { ...report, needsNetwork: true } : report
    }
  }

  /** True where the tool has used the files or the sandbox of its context: what it changed there is kept, or noted as not kept. */
  get isGuarded(): boolean {
    return this.#isGuarded
  }

  /** Records that the call may have changed files of which nothing is kept. */
  noteUnkept(reason: string): void {
    const { call, workspace } = this
    this.#parts.storage.undo.noteUnkept({ call, workspace, reason })
  }

  /** Made when a tool takes it; applies nothing, so it may be used before the line. */
  get rehearse(): (order: RunOrder) => Promise<RunReport> {
    const { sandbox } = this.#parts
    return (order) => sandbox.run({ ...order, rehearse: true, direct: false }, { call: this.call, signal: this.signal })
  }

  get tasks(): Tasks {
    return this.#parts.tasks
  }

  /** Made when a tool takes it. */
  get delegate(): (effect: DelegateEffect) => Promise<DelegateAnswer> {
    return (effect) => this.#askApp(effect)
  }

  /** Says in the name of which call files are looked at; to be called before its tool is. */
  know(call: ValidCall): void {
    this.#valid = call
  }

  /** Begins the plan of a call that has steps; a plan that was begun before is over. */
  async begin(plan: CallPlan | undefined): Promise<void> {
    if (this.#plan)
      await this.finish(failure('CANCELLED', `${this.#tool} was looked at again, so this plan was given up.`))
    this.#plan = plan
  }

  get #tool(): string {
    return this.#valid?.entry.tool.name ?? 'A tool'
  }

  /** The steps of this call; undefined for a tool that works in one go. */
  get plan(): CallPlan | undefined {
    return this.#plan
  }

  /** From here on files can be changed. */
  open(cleared: ClearedCall, makeConfirm: MakeConfirm): void {
    this.#cleared = cleared
    this.#makeConfirm = makeConfirm
  }

  /** From here on deltas are nothing, and files can be looked at only. */
  close(): void {
    this.#isOver = true
    this.#output?.end()
  }

  /** Gives the plan up, if there is one, and runs its cleanups, each with a context that nobody has stopped. What goes wrong is logged. */
  async finish(result: Result): Promise<void> {
    const plan = this.#plan
    if (plan === undefined) return
    this.#plan = undefined
    const { session, call } = this
    for (const trouble of await plan.finish(result, () => this.#forCleanup()))
      this.#parts.emit({ type: 'call-problem', session, call, text: `finally of ${this.#tool} failed: ${trouble}` })
  }

  /** Says that the tool is still at work, where it has put nothing out since it was last asked. */
  remind(seconds: number): void {
    this.#outputOf().remind(seconds)
  }

  #forCleanup(): CallContext {
    const context = new CallContext({ id: this.call, session: this.session, stop: new Stop() }, this.#parts)
    context.#valid = this.#valid
    context.#cleared = this.#cleared
    context.#makeConfirm = this.#makeConfirm
    context.#confirm = this.#confirm
    return context
  }

  async #askApp(effect: DelegateEffect): Promise<DelegateAnswer> {
    const { workspace, session, call, signal } = this
    const delegate = `d_${crypto.randomUUID().slice(0, 8)}`
    if (!this.#isOver) this.#parts.emit({ type: 'delegate-request', session, call, delegate, effect })
    const answer = (await this.#parts.delegate?.(effect, { workspace, session, call, signal })) ?? NOBODY_THERE
    if (!this.#isOver) this.#parts.emit({ type: 'delegate-answer', session, call, delegate, answer })
    return answer
  }

  /** Made when a tool takes it, so that it can be taken out of the context. */
  get delta(): (text: string) => void {
    return (text) => {
      if (!this.#isOver) this.#outputOf().add(String(text))
    }
  }

  #outputOf(): CallOutput {
    const { session, call } = this
    const { emit, desk } = this.#parts
    const patterns = desk.secrets
    const secrets = () => ({ patterns, known: maskSecrets(this.#valid?.arguments, patterns).secrets })
    this.#output ??= new CallOutput({ session, call, emit, secrets })
    return this.#output
  }
}
