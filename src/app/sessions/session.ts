import type { RunEnd } from '../../agent/run/run-session.ts'
import type { CheckReport } from '../../core/call/check-report.ts'
import type { Calls } from '../../core/ports/calls.ts'
import type { FollowOptions, Log } from '../../core/ports/log.ts'
import type { CommittedEvent, Event } from '../../core/session/event.ts'
import type { MessageCall } from '../../core/session/message.ts'
import { DEFAULT_MODE, type Mode } from '../../core/session/mode.ts'
import type { SessionChange, SessionStart } from '../../core/session/session-record.ts'
import type { Snapshot } from '../../core/tool/snapshot.ts'
import type { Parts } from '../../pipeline/request.ts'
import type { AgentParts } from '../agent/agent-parts.ts'
import {
  postMessage,
  resumeRun,
  type SendParts,
  type SentMessage,
  stopRun,
  systemPromptOf,
} from '../agent/send-message.ts'
import type { ResumeOptions, SendOptions } from '../agent/send-options.ts'
import { type CallFunction, createCallFunction } from '../calls/call-function.ts'
import type { CallIds } from '../calls/call-ids.ts'
import type { CallOptions, CheckOptions, StartedCall } from '../calls/call-starter.ts'
import type { LogReader } from '../home-options.ts'
import type { OpenedTools } from '../open-tools.ts'
import type { AllSessionTools, SessionTools } from './session-tools.ts'

/** Who answers the approval requests of a session; `decision` answers every one and never beats a deny. */
export interface SessionCaller extends Pick<CallOptions, 'approver' | 'wait' | 'decision' | 'by' | 'label' | 'mode'> {}

/** The options of a new session. A selection that is absent means all, an empty one means none. It cannot be changed later. */
export interface SessionOptions extends SessionCaller {
  readonly tools?: readonly string[]
  readonly mcpServers?: readonly string[]
  /** Leaves out what is offered beside every selection, the control tools: the session has exactly the tools that `tools` names. */
  readonly only?: true
  readonly model?: string
  /** The session whose agent starts this one. */
  readonly parent?: string
}

/** The options of a call in a session, which sets the others. */
export type SessionCallOptions = Omit<CallOptions, 'id' | 'session' | 'snapshot'>

/** One conversation or one caller. Its calls run in order, with the tools that the session began with. */
export interface Session {
  readonly id: string
  readonly workspace: string
  /** The tools of the session now: those it began with until their code is no longer kept, then the present ones of the same names, which `tools-changed` logs. */
  readonly snapshot: Snapshot
  /** Runs one call in this session, by the name of a tool or by the tool itself. Never throws or rejects. */
  readonly call: CallFunction<SessionCallOptions>
  /** Starts one call, and returns its id at once. */
  start(name: string, args?: unknown, options?: SessionCallOptions): StartedCall
  check(name: string, args?: unknown, options?: Omit<CheckOptions, 'session' | 'snapshot'>): Promise<CheckReport>
  /** Sends a message and resolves when the run it starts, or joins, has ended. Rejects with ModelError if there is no model. */
  send(text: string, options?: SendOptions): Promise<RunEnd>
  /** Sends a message and resolves once it is in the log, while the run goes on. Rejects as `send` does. */
  post(text: string, options?: SendOptions): Promise<SentMessage>
  /** Goes on with a run whose process has died: to be called once an approval or a question of the session was answered. With `afterLimit` also with one that reached its limit of steps. Resolves to undefined where no run is left over, or it still waits for another answer. Rejects with ModelError if there is no model. */
  resume(options?: ResumeOptions): Promise<RunEnd | undefined>
  /** Asks the process that runs the session to stop; `by` names who asks. The session can go on later. */
  stop(by?: string): void
  /** Changes title, model or mode, also during a run: it counts from the next step on, in whatever process that runs. Rejects with ModelError if there is no such model. */
  change(change: SessionChange): Promise<void>
  /** Returns the system prompt of the next run. */
  systemPrompt(): string
  /** Returns its events so far. */
  events(): Promise<readonly Event[]>
  /** Yields its events of all processes, from the first or after a cursor, until the signal aborts. */
  follow(options?: Omit<FollowOptions, 'session'>): AsyncIterableIterator<CommittedEvent, undefined>
  /** Ends this use of a session that a home has opened, so that its host can be closed once it is idle. What runs goes on. A session that a host began needs no closing. */
  close(): Promise<void>
}

/** The parts of a host that a session needs. */
export interface SessionHost {
  readonly workspace: string
  readonly log: LogReader
  start(name: string, args: unknown, options: CallOptions): StartedCall
  check(name: string, args: unknown, options: CheckOptions): Promise<CheckReport>
}

interface BeginParts {
  readonly agent: AgentParts
  readonly host: SessionHost
  readonly ids: CallIds
  readonly parts: Parts
  readonly sessions: AllSessionTools
  /** The tools to select from: those of the parent for an agent, else the present ones. */
  readonly from: Snapshot
}

/** The options of a session that Haft begins itself: a plan's, or that of one of its sub-agents. */
export interface OwnSessionOptions extends SessionOptions {
  readonly id?: string
}

/** Begins a session and logs its options. Throws if a selected tool does not exist. */
export function beginSession(options: OwnSessionOptions = {}, begin: BeginParts): Session {
  const { host, agent, ids, parts, sessions, from } = begin
  const { mode = DEFAULT_MODE, model, id = ids.nextSession() } = options
  if (options.only && options.tools === undefined) throw new Error('only needs a list of tools')
  const tools = sessions.begin(id, options, from)
  parts.sessions.add(id)
  parts.emit({ type: 'session-start', session: id, workspace: host.workspace, mode, ...selectionOf(options) })
  return new OpenSession({ tools, host, agent, start: { mode, model }, caller: { ...callerOf(options), mode } })
}

/** Returns what is logged of the options of a session, beside its mode. */
function selectionOf({
  tools,
  mcpServers,
  only,
  model,
  parent,
}: SessionOptions): Omit<SessionStart, 'workspace' | 'mode'> {
  return {
    ...(tools && { tools }),
    ...(mcpServers && { mcpServers }),
    ...(only && { only }),
    ...(model !== undefined && { model }),
    ...(parent !== undefined && { parent }),
  }
}

interface ContinueParts {
  readonly log: Log
  readonly caller: SessionCaller | undefined
  host(workspace: string): Promise<SessionHost & { close(): Promise<void> }>
  agent(workspace: string): Promise<AgentParts>
  toolsOf(workspace: string): Promise<Pick<OpenedTools, 'sessions' | 'ready'>>
}

/** Continues a session from the log, in its workspace: with the tools it has if it runs in this process, else with the current versions of those it began with. Rejects if it is not in the log. */
export async function continueSession(id: string, parts: ContinueParts): Promise<Session> {
  const { log, caller = {} } = parts
  const [record] = await log.sessions({ session: id, limit: 1 })
  const events = record ? await log.read({ session: id }) : []
  const begun = events.find((event) => event.type === 'session-start')
  if (!record || !begun) throw new Error(`there is no session ${JSON.stringify(id)} in the log`)
  const { model, mode, title } = record
  const start = { ...begun, title, ...(model !== null && { model }), ...(mode !== null && { mode }) }
  const host = await parts.host(start.workspace)
  try {
    const { sessions, ready } = await parts.toolsOf(host.workspace)
    const agent = await parts.agent(host.workspace)
    // It has begun: its next call must not begin it again, with a mode of its own.
    agent.sessions.add(id)
    await ready(begun.tools)
    const tools = sessions.resume(id, events)
    const known = { ...labelOf(start), mode: start.mode }
    return new OpenSession({ tools, host, agent, start, caller: { ...known, ...caller }, close: host.close })
  } catch (thrown) {
    await host.close()
    throw thrown
  }
}

/** Returns the mode of a session, for sessions that its agent starts. Undefined if there is no such session. */
export async function inheritedMode(
  session: string | undefined,
  log: Pick<Log, 'sessions'>,
): Promise<Mode | undefined> {
  if (session === undefined) return undefined
  const [record] = await log.sessions({ session, limit: 1 })
  return record?.mode ?? undefined
}

/** The approval requests of an agent are shown with what it works on. */
function labelOf({ parent, title }: SessionStart & { readonly title: string | null }): Pick<SessionCaller, 'label'> {
  return parent !== undefined && title !== null ? { label: title } : {}
}

/** Returns who answers for the calls of a session, from the options it begins with. */
function callerOf({ approver, wait, decision, by, label }: SessionOptions): SessionCaller {
  return {
    ...(approver && { approver }),
    ...(wait !== undefined && { wait }),
    ...(decision !== undefined && { decision }),
    ...(by !== undefined && { by }),
    ...(label !== undefined && { label }),
  }
}

interface OpenParts {
  readonly host: SessionHost
  readonly tools: SessionTools
  readonly agent: AgentParts
  readonly start: { readonly mode: Mode; readonly model?: string | undefined }
  readonly caller: SessionCaller
  /** Ends the use of its host, where the session alone uses it. */
  close?(): Promise<void>
}

/** A session that is open in this process. A class, because a getter in an object literal makes a new hidden class for each object (gate 1c). */
class OpenSession implements Session {
  readonly id: string
  readonly workspace: string
  readonly call: Session['call']
  readonly #parts: OpenParts
  readonly #calls: Calls
  #mode: Mode

  constructor(parts: OpenParts) {
    const { host, tools, agent, start, caller } = parts
    this.#parts = parts
    this.#mode = caller.mode ?? start.mode
    this.id = tools.session
    this.workspace = host.workspace
    const snapshot = () => tools.snapshot
    this.call = createCallFunction({ snapshot, start: this.start })
    this.#calls = {
      snapshot,
      nextId: agent.nextCallId,
      run: (made, signal, mode = this.#mode) => {
        const options = { ...caller, mode, session: this.id, snapshot: tools.snapshot, signal }
        const start = ({ call: id, name, arguments: args }: MessageCall) =>
          host.start(name, args, { ...options, id }).result
        return agent.startTogether(() => made.map(start))
      },
    }
  }

  get snapshot(): Snapshot {
    return this.#parts.tools.snapshot
  }

  readonly start: Session['start'] = (name, args, given) => this.#parts.host.start(name, args, this.#optionsOf(given))

  readonly check: Session['check'] = (name, args, given) => this.#parts.host.check(name, args, this.#optionsOf(given))

  readonly send: Session['send'] = async (text, options) => (await this.post(text, options)).end

  readonly post: Session['post'] = (text, options = {}) => postMessage(text, options, this.#sendParts())

  readonly resume: Session['resume'] = (options = {}) => resumeRun(options, this.#sendParts())

  readonly stop: Session['stop'] = (by = 'program') => stopRun(this.id, this.#parts.agent, by)

  readonly change: Session['change'] = async (change) => {
    const { agent } = this.#parts
    if (change.model !== undefined) await agent.openModel({ model: change.model })
    agent.bus.emit({ type: 'session-changed', session: this.id, ...change })
    this.#mode = change.mode ?? this.#mode
    await agent.storage.log.flush()
  }

  readonly systemPrompt: Session['systemPrompt'] = () => systemPromptOf(this.#sendParts())

  readonly events: Session['events'] = () => this.#parts.host.log.read({ session: this.id })

  readonly follow: Session['follow'] = (options = {}) =>
    this.#parts.host.log.follow({ after: 0, ...options, session: this.id })

  readonly close: Session['close'] = async () => this.#parts.close?.()

  #optionsOf<Given extends SessionCallOptions>(given: Given | undefined) {
    const { caller, tools } = this.#parts
    return { ...caller, mode: this.#mode, ...given, session: this.id, snapshot: tools.snapshot }
  }

  #sendParts(): SendParts {
    const { agent, start } = this.#parts
    return {
      session: this.id,
      workspace: this.workspace,
      mode: this.#mode,
      model: start.model,
      calls: this.#calls,
      agent,
    }
  }
}
