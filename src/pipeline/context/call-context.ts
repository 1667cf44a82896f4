import type { Agents } from '../../core/agents/agents.ts'
import type { ClearedCall, ValidCall } from '../../core/call/call.ts'
import { failure, type Result, ToolError } from '../../core/call/result.ts'
import type { Tasks } from '../../core/call/task.ts'
import type { InputAnswer, InputQuestion } from '../../core/input/input.ts'
import type { Proposals } from '../../core/plans/proposals.ts'
import type { CodeSearch } from '../../core/ports/developer/code-search.ts'
import type { EditChecks } from '../../core/ports/developer/edit-checks.ts'
import type { Machine } from '../../core/ports/developer/machine.ts'
import type { Files } from '../../core/ports/files.ts'
import type { Http } from '../../core/ports/http.ts'
import type { Outputs } from '../../core/ports/outputs.ts'
import type { RunOrder, RunOwner, RunReport } from '../../core/ports/sandbox.ts'
import { maskSecrets } from '../../core/secrets/mask-secrets.ts'
import type { Todo } from '../../core/session/event.ts'
import type { FoundTool, ToolContext } from '../../core/tool/context.ts'
import type { DelegateAnswer, DelegateEffect, OpenEffect } from '../../core/tool/delegate.ts'
import { searchTools } from '../../core/tool/search-tools.ts'
import { reads } from '../../core/tool/touch.ts'
import { askPerson } from '../inputs/ask-person.ts'
import type { CallPlan } from '../prepare/call-plan.ts'
import type { Parts } from '../request.ts'
import { Stop } from '../stopping/stop.ts'
import { askApp } from './ask-app.ts'
import { CallOutput } from './call-output.ts'
import { CallPrograms, type ContextCall } from './call-programs.ts'
import { guardMachine } from './guard-machine.ts'
import { readOnlyFiles } from './read-only-files.ts'
import { refuseHost } from './refuse-host.ts'

/** Makes the function that asks a person about what a program changed. */
type MakeConfirm = () => Required<RunOwner>['confirm']

/** What the tool of one call can use. Files can be changed and programs run only while the tool runs; later output is dropped. Its functions can be used without the context object. */
export class CallContext implements ToolContext {
  readonly #own: ContextCall
  readonly #parts: Parts
  /** Created when it is first needed, like everything below. */
  #programs: CallPrograms | undefined
  #valid: ValidCall | undefined
  #cleared: ClearedCall | undefined
  #makeConfirm: MakeConfirm | undefined
  #plan: CallPlan | undefined
  #output: CallOutput | undefined
  #hasChangedFiles = false
  #isOver = false

  constructor(own: ContextCall, parts: Parts) {
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

  get tasks(): Tasks {
    return this.#parts.tasks
  }

  get signal(): AbortSignal {
    return this.#own.stop.signal
  }

  /** Stops this call. */
  get stop(): Stop {
    return this.#own.stop
  }

  /** Read-only before the commit point and after the end. In between, changes are made on behalf of the call. */
  get files(): Files {
    const { files, judge } = this.#parts
    const cleared = this.#cleared
    const call = cleared ?? this.#valid
    if (call === undefined) throw new Error('a context gives files only once its call is known')
    const findDeny = (path: string) => judge.findDeny(call, reads(path))
    if (cleared === undefined || this.#isOver) return readOnlyFiles(files.looking(findDeny), this.#tool)
    this.#hasChangedFiles = true
    return files.forCall({ id: this.call, expects: cleared.expects, signal: this.signal, findDeny })
  }

  /** The network. Refused while the tool is not running. */
  get http(): Http {
    const cleared = this.#cleared
    if (cleared === undefined || this.#isOver)
      throw new ToolError('EXECUTION_ERROR', `${this.#tool} tried to use the network while it was not running.`)
    const { http, judge, hosts } = this.#parts
    const { session, signal } = this
    return http.forCall({ session, signal, opened: hosts.web, refuse: (host) => refuseHost(host, cleared, judge) })
  }

  /** Finds code by meaning. */
  get code(): Pick<CodeSearch, 'search'> {
    return this.#parts.code
  }

  /** Whether edits are followed by the project's own checkers. */
  get editChecks(): EditChecks {
    return this.#parts.editChecks
  }

  /** What is done outside the sandbox. Refused while the tool is not running. */
  get machine(): Machine {
    const cleared = this.#cleared
    if (cleared === undefined || this.#isOver)
      throw new ToolError('EXECUTION_ERROR', `${this.#tool} tried to act outside the sandbox while it was not running.`)
    return guardMachine(this.#parts.machine, cleared, this.#parts.judge)
  }

  /** Runs a program in the sandbox. Refused while the tool is not running. */
  get run(): (order: RunOrder) => Promise<RunReport> {
    return async (order) => {
      const report = await this.#programsOf().run(order, this.#cleared)
      return this.#cleared?.needsNetwork ? { ...report, needsNetwork: true } : report
    }
  }

  /** Runs a program without applying its changes. */
  get dryRun(): (order: RunOrder) => Promise<RunReport> {
    return (order) => this.#programsOf().dryRun(order)
  }

  /** Asks the app to open or show something, and logs request and answer. */
  get delegate(): (effect: DelegateEffect) => Promise<DelegateAnswer> {
    return (effect) => {
      const { workspace, session, call, signal } = this
      const { delegate, emit, storage } = this.#parts
      const { wait } = this.#own
      const parts = { delegate, emit, storage, wait, isOver: () => this.#isOver }
      return askApp(effect, { workspace, session, call, signal }, parts)
    }
  }

  /** Names the program that would open a file. */
  get opener(): (effect: OpenEffect) => string | undefined {
    return (effect) => this.#parts.opener(effect)
  }

  /** The agents of the session. Waiting for one does not count as time of this call: its own calls have limits. */
  get agents(): Agents {
    const { session, signal } = this
    const { snapshot, approver, wait } = this.#own
    const agents = this.#parts.agents({ session, signal, snapshot, approver, wait })
    return { ...agents, run: (order) => this.#hold(() => agents.run(order)) }
  }

  /** Plans that the call may propose. */
  get plans(): Proposals {
    const { session, call, signal } = this
    const { snapshot, approver, wait } = this.#own
    return this.#parts.plans({ session, call, signal, snapshot, approver, wait })
  }

  /** Asks the person something, and logs question and answer. */
  get input(): (question: InputQuestion) => Promise<InputAnswer> {
    return (question) => this.#hold(() => askPerson(question, this.#own, this.#parts))
  }

  /** Replaces the to-do list of the session. */
  get todos(): (items: readonly Todo[]) => void {
    return (items) => {
      if (!this.#isOver) this.#parts.emit({ type: 'todos', session: this.session, items })
    }
  }

  /** Finds tools of the session by words. */
  get findTools(): (query: string) => readonly FoundTool[] {
    return (query) => (this.#own.snapshot ? searchTools(this.#own.snapshot, query) : [])
  }

  /** Streams a piece of output. */
  get delta(): (text: string) => void {
    return (text) => {
      if (!this.#isOver) this.#outputOf().add(String(text))
    }
  }

  /** The output of the call so far; undefined if there is none. */
  get output(): CallOutput | undefined {
    return this.#output
  }

  /** The steps of this call; undefined for a tool without steps. */
  get plan(): CallPlan | undefined {
    return this.#plan
  }

  /** True if the tool has used the files or the sandbox of its context. What it changed there is kept, or recorded as not kept. */
  get isGuarded(): boolean {
    return this.#hasChangedFiles || this.#programs?.hasRun === true
  }

  /** Records that the call may have changed files without keeping what it replaced. */
  noteUnkept(reason: string): void {
    this.#programsOf().noteUnkept(reason)
  }

  /** Sets the call that files are read for. To be called before its tool is. */
  setCall(call: ValidCall): void {
    this.#valid = call
  }

  /** Begins the plan of a call that has steps. A plan that was begun before is cleaned up. */
  async begin(plan: CallPlan | undefined): Promise<void> {
    if (this.#plan)
      await this.finish(failure('CANCELLED', `${this.#tool} was checked again, so this plan was given up.`))
    this.#plan = plan
  }

  /** From now on files can be changed and programs run. */
  open(cleared: ClearedCall, makeConfirm: MakeConfirm): void {
    this.#cleared = cleared
    this.#makeConfirm = makeConfirm
  }

  /** From now on output is dropped, and files can only be read. */
  close(): void {
    this.#isOver = true
    this.#programs?.close()
    this.#output?.end()
  }

  /** Ends the plan, if there is one, and runs its cleanups, each with a context that is not stopped. Problems are logged. */
  async finish(result: Result): Promise<void> {
    const plan = this.#plan
    if (plan === undefined) return
    this.#plan = undefined
    const { session, call } = this
    for (const problem of await plan.finish(result, () => this.#forCleanup()))
      this.#parts.emit({ type: 'call-problem', session, call, text: `finally of ${this.#tool} failed: ${problem}` })
  }

  /** Logs that the tool is still running, if it had no output since the last time. */
  remind(seconds: number): void {
    this.#outputOf().remind(seconds)
  }

  /** Does what is not the tool's own work. Begins a moment later, since the time limit to hold is set when the tool has returned its promise. */
  async #hold<T>(work: () => Promise<T>): Promise<T> {
    await Promise.resolve()
    return this.stop.hold(work())
  }

  #programsOf(): CallPrograms {
    this.#programs ??= new CallPrograms(this.#own, this.#parts)
    if (this.#makeConfirm && !this.#isOver) this.#programs.open(this.#makeConfirm)
    return this.#programs
  }

  get #tool(): string {
    return this.#valid?.entry.tool.name ?? 'A tool'
  }

  #forCleanup(): CallContext {
    const context = new CallContext({ id: this.call, session: this.session, stop: new Stop() }, this.#parts)
    context.#valid = this.#valid
    if (this.#cleared && this.#makeConfirm) context.open(this.#cleared, this.#makeConfirm)
    return context
  }

  #outputOf(): CallOutput {
    const { session, call } = this
    const { emit, masker } = this.#parts
    const secrets = () => {
      masker.refresh()
      return { masker, known: maskSecrets(this.#valid?.arguments, masker).secrets }
    }
    this.#output ??= new CallOutput({ session, call, emit, secrets })
    return this.#output
  }
}
