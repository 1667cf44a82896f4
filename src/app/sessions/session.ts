import type { RunEnd } from '../../agent/run/run-session.ts'
import type { CheckReport } from '../../core/call/check-report.ts'
import type { Calls } from '../../core/ports/calls.ts'
import type { FollowOptions, Log } from '../../core/ports/log.ts'
import type { CommittedEvent, Event } from '../../core/session/event.ts'
import { DEFAULT_MODE, type Mode } from '../../core/session/mode.ts'
import type { SessionChange, SessionStart } from '../../core/session/session-record.ts'
import type { Snapshot } from '../../core/tool/snapshot.ts'
import type { Parts } from '../../pipeline/request.ts'
import type { AgentParts } from '../agent/agent-parts.ts'
import { type SendOptions, sendMessage, stopRun, systemPromptOf } from '../agent/send-message.ts'
import { type CallFunction, createCallFunction } from '../calls/call-function.ts'
import type { CallIds } from '../calls/call-ids.ts'
import type { CallOptions, CheckOptions, StartedCall } from '../calls/call-starter.ts'
import type { LogReader } from '../home-options.ts'
import type { AllSessionTools, SessionTools } from './session-tools.ts'

/** Who answers the approval requests of a session; `decision` answers every one and never beats a deny. */
export interface SessionCaller extends Pick<CallOptions, 'approver' | 'wait' | 'decision' | 'by' | 'label' | 'mode'> {}

/** The options of a new session. A selection that is absent means all, an empty one means none. It cannot be changed later. */
export interface SessionOptions extends SessionCaller {
  readonly tools?: readonly string[]
  readonly mcpServers?: readonly string[]
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

/** Begins a session and logs its options. Throws if a selected tool does not exist. */
export function beginSession(options: SessionOptions = {}, begin: BeginParts): Session {
  const { host, agent, ids, parts, sessions, from } = begin
  const {
    approver: _,
    wait: _wait,
    decision: _decision,
    by: _by,
    label: _label,
    mode = DEFAULT_MODE,
    ...start
  } = options
  const id = ids.nextSession()
  const tools = sessions.begin(id, options, from)
  parts.sessions.add(id)
  parts.emit({ type: 'session-start', session: id, workspace: host.workspace, mode, ...start })
  return openSession({ tools, host, agent, start: { ...start, mode }, caller: { ...callerOf(options), mode } })
}

interface ContinueParts {
  readonly log: Log
  readonly caller: SessionCaller | undefined
  host(workspace: string): Promise<SessionHost>
  agent(workspace: string): Promise<AgentParts>
  sessionsOf(workspace: string): Promise<AllSessionTools>
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
  const sessions = await parts.sessionsOf(host.workspace)
  const agent = await parts.agent(host.workspace)
  // It has begun: its next call must not begin it again, with a mode of its own.
  agent.sessions.add(id)
  const tools = sessions.resume(id, events)
  const known = { ...labelOf(start), mode: start.mode }
  return openSession({ tools, host, agent, start, caller: { ...known, ...caller } })
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
  readonly start: Pick<SessionStart, 'model' | 'mode'>
  readonly caller: SessionCaller
}

function openSession({ host, tools, agent, start, caller }: OpenParts): Session {
  const { session: id } = tools
  let mode = caller.mode ?? start.mode
  const optionsOf = <Given extends SessionCallOptions>(given: Given | undefined) => ({
    ...caller,
    mode,
    ...given,
    session: id,
    snapshot: tools.snapshot,
  })
  const startCall: Session['start'] = (name, args, given) => host.start(name, args, optionsOf(given))
  const calls: Calls = {
    get snapshot() {
      return tools.snapshot
    },
    nextId: agent.nextCallId,
    run: (call, { name, arguments: args, mode: now = mode }, signal) =>
      host.start(name, args, { ...caller, mode: now, id: call, session: id, snapshot: tools.snapshot, signal }).result,
  }
  const sendParts = () => ({
    ...agent,
    ...{ session: id, workspace: host.workspace, mode, calls },
    openModel: (options: SendOptions, ofSession?: string) => agent.openModel(options, ofSession ?? start.model),
  })
  return {
    id,
    workspace: host.workspace,
    get snapshot() {
      return tools.snapshot
    },
    send: (text, options = {}) => sendMessage(text, options, sendParts()),
    stop: (by = 'program') => stopRun(sendParts(), by),
    async change(change) {
      if (change.model !== undefined) await agent.openModel({ model: change.model })
      agent.bus.emit({ type: 'session-changed', session: id, ...change })
      mode = change.mode ?? mode
      await agent.storage.log.flush()
    },
    systemPrompt: () => systemPromptOf(sendParts()),
    call: createCallFunction({ snapshot: () => tools.snapshot, start: startCall }),
    start: startCall,
    check: (name, args, given) => host.check(name, args, optionsOf(given)),
    events: () => host.log.read({ session: id }),
    follow: (options = {}) => host.log.follow({ after: 0, ...options, session: id }),
  }
}
