import type { RunEnd } from '../agent/run/run-session.ts'
import type { CheckReport } from '../core/call/check-report.ts'
import type { Calls } from '../core/ports/calls.ts'
import type { FollowOptions, Log } from '../core/ports/log.ts'
import type { CommittedEvent, Event } from '../core/session/event.ts'
import type { Mode } from '../core/session/mode.ts'
import type { SessionStart } from '../core/session/session-record.ts'
import type { Snapshot } from '../core/tool/snapshot.ts'
import type { Parts } from '../pipeline/request.ts'
import type { Registry } from '../registry/registry.ts'
import type { AgentParts } from './agent/agent-parts.ts'
import { type SendOptions, sendMessage, stopRun, systemPromptOf } from './agent/send-message.ts'
import { type CallFunction, createCallFunction } from './calls/call-function.ts'
import type { CallIds } from './calls/call-ids.ts'
import type { CallerOptions, CallOptions, CheckOptions, StartedCall } from './calls/call-starter.ts'
import type { LogReader } from './home-options.ts'

/** Who answers the approval requests of a session. */
export type SessionCaller = CallerOptions

/** The options of a new session. A selection that is absent means all, an empty one means none. It cannot be changed later. */
export interface SessionOptions extends SessionCaller {
  readonly tools?: readonly string[]
  readonly mcpServers?: readonly string[]
  readonly model?: string
  readonly mode?: Mode
  /** The session whose agent starts this one. */
  readonly parent?: string
}

/** The options of a call in a session, which sets the others. */
export type SessionCallOptions = Omit<CallOptions, 'id' | 'session' | 'snapshot'>

/** One conversation or one caller. Its calls run in order, with the tools that the session began with. */
export interface Session {
  readonly id: string
  readonly workspace: string
  /** The tools of the session. */
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
  readonly registry: Pick<Registry, 'snapshot'>
  readonly log: LogReader
  start(name: string, args: unknown, options: CallOptions): StartedCall
  check(name: string, args: unknown, options: CheckOptions): Promise<CheckReport>
}

interface BeginParts {
  readonly agent: AgentParts
  readonly host: SessionHost
  readonly ids: CallIds
  readonly parts: Parts
}

/** Begins a session and logs its options. Throws if a selected tool does not exist. */
export function beginSession(options: SessionOptions = {}, { host, agent, ids, parts }: BeginParts): Session {
  const { approver, wait, mode = 'ask', ...start } = options
  const id = ids.nextSession()
  const snapshot = select(host, options)
  parts.sessions.add(id)
  parts.emit({ type: 'session-start', session: id, workspace: host.workspace, mode, ...start })
  return openSession({ id, host, agent, snapshot, start: { ...start, mode }, caller: callerOf(approver, wait) })
}

interface ContinueParts {
  readonly log: Log
  readonly caller: SessionCaller | undefined
  host(workspace: string): Promise<SessionHost>
  agent(workspace: string): Promise<AgentParts>
}

/** Continues a session from the log, in its workspace and with the current versions of its tools. Rejects if it is not in the log. */
export async function continueSession(id: string, { log, caller = {}, host, agent }: ContinueParts): Promise<Session> {
  const start = await findStart(id, log)
  if (!start) throw new Error(`there is no session ${JSON.stringify(id)} in the log`)
  const opened = await host(start.workspace)
  const tools = start.tools?.filter((name) => opened.registry.snapshot().find(name) !== undefined)
  const snapshot = select(opened, { ...start, ...(tools && { tools }) })
  return openSession({ id, host: opened, agent: await agent(opened.workspace), snapshot, start, caller })
}

/** What the session began with, and what was changed since. */
async function findStart(session: string, log: Log): Promise<SessionStart | undefined> {
  const [record] = await log.sessions({ session, limit: 1 })
  if (!record) return undefined
  const events = await log.read({ session })
  const start = events.find((event) => event.type === 'session-start')
  const { model, mode } = record
  return start && { ...start, ...(model !== null && { model }), ...(mode !== null && { mode }) }
}

function select(
  { registry }: Pick<SessionHost, 'registry'>,
  { tools, mcpServers }: Pick<SessionStart, 'tools' | 'mcpServers'>,
): Snapshot {
  const all = registry.snapshot()
  return tools === undefined && mcpServers === undefined ? all : all.only(tools, mcpServers)
}

function callerOf(approver: CallerOptions['approver'], wait: boolean | undefined): SessionCaller {
  return { ...(approver && { approver }), ...(wait !== undefined && { wait }) }
}

interface OpenParts {
  readonly id: string
  readonly host: SessionHost
  readonly agent: AgentParts
  readonly snapshot: Snapshot
  readonly start: Pick<SessionStart, 'model' | 'mode'>
  readonly caller: SessionCaller
}

function openSession({ id, host, agent, snapshot, start, caller }: OpenParts): Session {
  const optionsOf = <Given extends SessionCallOptions>(given: Given | undefined) => ({
    ...caller,
    ...given,
    session: id,
    snapshot,
  })
  const startCall: Session['start'] = (name, args, given) => host.start(name, args, optionsOf(given))
  const calls: Calls = {
    snapshot,
    nextId: agent.nextCallId,
    run: (call, { name, arguments: args }, signal) =>
      host.start(name, args, { ...caller, id: call, session: id, snapshot, signal }).result,
  }
  const parts = { ...agent, session: id, workspace: host.workspace, mode: start.mode, calls }
  const openModel = (options: SendOptions) => agent.openModel(options, start.model)
  return {
    id,
    workspace: host.workspace,
    snapshot,
    send: (text, options = {}) => sendMessage(text, options, { ...parts, openModel }),
    stop: (by = 'program') => stopRun(parts, by),
    systemPrompt: () => systemPromptOf({ ...parts, openModel }),
    call: createCallFunction({ snapshot: () => snapshot, start: startCall }),
    start: startCall,
    check: (name, args, given) => host.check(name, args, optionsOf(given)),
    events: () => host.log.read({ session: id }),
    follow: (options = {}) => host.log.follow({ after: 0, ...options, session: id }),
  }
}
