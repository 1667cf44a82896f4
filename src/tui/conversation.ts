import type { ResumeOptions } from '../app/agent/send-options.ts'
import type { Home } from '../app/home.ts'
import type { Host } from '../app/host.ts'
import type { Session, SessionOptions } from '../app/sessions/session.ts'
import { messageOf } from '../core/call/result.ts'
import { isCutOff } from '../core/session/is-cut-off.ts'
import type { Mode } from '../core/session/mode.ts'
import type { TuiOptions } from './options.ts'
import type { SessionStore } from './session/session-store.ts'

interface ConversationParts {
  readonly host: Host
  readonly options: TuiOptions
  store(): SessionStore
  say(text: string): void
  /** Shows a problem for good. */
  report(text: string): void
  changed(): void
}

/** The conversation at this terminal: its model, mode and tools, and the session once there is one. It begins with the first message. */
export class Conversation {
  readonly #parts: ConversationParts
  readonly #home: Home
  #session: Session | undefined
  #beginning: Promise<Session> | undefined
  #model: string | undefined
  #mode: Mode
  /** Absent means all. */
  #tools: readonly string[] | undefined
  #command: AbortController | undefined
  #isCutOff = false

  constructor(parts: ConversationParts) {
    this.#parts = parts
    this.#home = parts.options.home
    this.#model = parts.options.model
    this.#mode = parts.options.mode ?? parts.host.mode
  }

  get session(): Session | undefined {
    return this.#session
  }

  get model(): string | undefined {
    return this.#parts.store().feed.view.model ?? this.#model
  }

  get mode(): Mode {
    return this.#parts.store().feed.view.mode ?? this.#mode
  }

  get tools(): readonly string[] | undefined {
    return this.#tools
  }

  /** True while a model works or a command of the person runs. */
  get isRunning(): boolean {
    return this.#command !== undefined || (this.#parts.store().feed.view.isRunning && !this.#isCutOff)
  }

  /** Chooses the model, as a new session would. */
  async prepare(): Promise<void> {
    const { name, note } = await this.#home.models.choose(this.#parts.options.model)
    this.#model = name
    if (note !== undefined) this.#parts.say(note)
    this.#parts.changed()
  }

  selectTools(tools: readonly string[] | undefined): void {
    this.#tools = tools
  }

  async changeModel(model: string): Promise<void> {
    if (this.#session) await this.#session.change({ model })
    this.#model = model
  }

  async changeMode(mode: Mode): Promise<void> {
    if (this.#session) await this.#session.change({ mode })
    this.#mode = mode
  }

  /** Goes on with a session that the log knows. */
  async continue(id: string): Promise<void> {
    const session = await this.#home.session(id, { wait: true })
    const events = await session.events()
    const [summary] = await this.#home.sessions({ session: id, limit: 1 })
    this.#session = session
    this.#parts.store().show(session, events)
    const isElsewhere = summary?.state === 'running'
    this.#isCutOff = !isElsewhere && isCutOff(events)
    if (isElsewhere) void this.#parts.store().followLog()
    if (this.#isCutOff) this.#parts.say('This run was cut off. Press Enter to go on with it, or write a message.')
  }

  /** Begins anew: the next message starts another session. */
  clear(): void {
    this.#session = undefined
    this.#beginning = undefined
    this.#isCutOff = false
    this.#parts.store().show(undefined)
  }

  async send(text: string): Promise<void> {
    const { options } = this.#parts
    const { attachments, notes } = options.attach(text, this.#parts.host.workspace)
    for (const note of notes) this.#parts.say(note)
    await this.#work(async (session) => {
      await session.send(text, attachments.length > 0 ? { attachments } : {})
    })
  }

  /** Goes on with a run that was cut off, where there is one; without `afterLimit` only with one whose process has died. */
  async resume(options: ResumeOptions = {}): Promise<void> {
    if (!this.#session) return
    await this.#work(async (session) => {
      const end = await session.resume(options)
      if (end === undefined && this.#isCutOff) this.#parts.say('It waits for an answer.')
    })
  }

  /** Runs a command line of the person, through the rules as any other. */
  async run(command: string): Promise<void> {
    const stopped = new AbortController()
    this.#command = stopped
    await this.#work(async (session) => {
      await session.call('shell', { command }, { signal: stopped.signal })
    })
    this.#command = undefined
    this.#parts.changed()
  }

  stop(): void {
    this.#command?.abort()
    this.#session?.stop('terminal')
  }

  /** Returns the session; begins it where there is none. */
  begin(): Promise<Session> {
    if (this.#session) return Promise.resolve(this.#session)
    this.#beginning ??= this.#begin()
    return this.#beginning
  }

  async #begin(): Promise<Session> {
    const { host } = this.#parts
    const chosen: SessionOptions = {
      wait: true,
      mode: this.#mode,
      ...(this.#model !== undefined && { model: this.#model }),
      ...(this.#tools && { tools: this.#tools }),
    }
    const session = await host.session(chosen)
    this.#session = session
    this.#parts.store().show(session, await session.events())
    return session
  }

  async #work(work: (session: Session) => Promise<void>): Promise<void> {
    try {
      const session = await this.begin()
      this.#isCutOff = false
      await work(session)
    } catch (thrown) {
      this.#beginning = undefined
      this.#parts.report(messageOf(thrown))
    }
  }
}
