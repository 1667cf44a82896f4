import type { CheckReport } from '../core/call/check-report.ts'
import type { Result } from '../core/call/result.ts'
import type { FollowOptions, Log } from '../core/ports/log.ts'
import type { CommittedEvent, Event } from '../core/session/event.ts'
import { DEFAULT_MODE, type Mode } from '../core/session/mode.ts'
import type { SessionStart } from '../core/session/session-record.ts'
import type { Snapshot } from '../core/tool/snapshot.ts'
import type { Parts } from '../pipeline/request.ts'
import type { Registry } from '../registry/registry.ts'
import type { CallIds } from './call-ids.ts'
import type { CallerOptions, CallOptions, CheckOptions, StartedCall } from './call-starter.ts'
import type { LogReader } from './home-options.ts'

/** Who answers for the calls of a session. */
export type SessionCaller = CallerOptions

/** What a session begins with; a selection that is absent means all, an empty one none, and it is locked from then on. */
export interface SessionOptions extends SessionCaller {
  readonly tools?: readonly string[]
  readonly mcpServers?: readonly string[]
  readonly model?: string
  /** The session whose agent starts this one. */
  readonly parent?: string
}

/** How a call of a session is made; the session says the rest. */
export type SessionCallOptions = Omit<CallOptions, 'session' | 'snapshot'>

/** One conversation or one caller: its calls keep their order and have the tools it began with. */
export interface Session {
  readonly id: string
  readonly workspace: string
  /** The tools it may use. */
  readonly snapshot: Snapshot
  /** One call in this session; never throws and never rejects. */
  call(name: string, args?: unknown, options?: SessionCallOptions): Promise<Result>
  /** The same, with the id of the call before its end. */
  start(name: string, args?: unknown, options?: SessionCallOptions): StartedCall
  check(name: string, args?: unknown, options?: Omit<CheckOptions, 'session' | 'snapshot'>): Promise<CheckReport>
  /** Its events so far. */
  events(): Promise<readonly Event[]>
  /** Its events, from the first on or after a cursor, of every process, until the signal aborts. */
  follow(options?: Omit<FollowOptions, 'session'>): AsyncIterableIterator<CommittedEvent, undefined>
}

/** What a session needs of its host. */
export interface SessionHost {
  readonly workspace: string
  readonly registry: Pick<Registry, 'snapshot'>
  readonly log: LogReader
  call(name: string, args: unknown, options: CallOptions): Promise<Result>
  start(name: string, args: unknown, options: CallOptions): StartedCall
  check(name: string, args: unknown, options: CheckOptions): Promise<CheckReport>
}

interface BeginParts {
  readonly host: SessionHost
  readonly ids: CallIds
  readonly parts: Parts
}

/** Begins a session and logs what it begins with. Rejects where a tool of the selection is not there. */
export function beginSession(options: SessionOptions = {}, { host, ids, parts }: BeginParts): Session {
  const { approver, wait, mode = DEFAULT_MODE, ...start } = options
  const id = ids.nextSession()
  const snapshot = select(host, options)
  parts.sessions.add(id)
  parts.emit({ type: 'session-start', session: id, workspace: host.workspace, mode, ...start })
  return openSession({ id, host, snapshot, caller: { ...callerOf(approver, wait), mode } })
}

interface ContinueParts {
  readonly log: Log
  readonly caller: SessionCaller | undefined
  host(workspace: string): Promise<SessionHost>
}

/** Goes on with a session that the log knows, in its workspace and with the tools it began with, as they are now. */
export async function continueSession(id: string, { log, caller = {}, host }: ContinueParts): Promise<Session> {
  const start = await findStart(id, log)
  if (!start) throw new Error(`there is no session ${JSON.stringify(id)} in the log`)
  const opened = await host(start.workspace)
  const tools = start.tools?.filter((name) => opened.registry.snapshot().find(name) !== undefined)
  const snapshot = select(opened, { ...start, ...(tools && { tools }) })
  const mode = await inheritedMode(id, log)
  return openSession({ id, host: opened, snapshot, caller: { ...(mode && { mode }), ...caller } })
}

/** Returns the mode of a session: for sessions that continue it or that its agent starts. Undefined where there is no such session. */
export async function inheritedMode(
  session: string | undefined,
  log: Pick<Log, 'sessions'>,
): Promise<Mode | undefined> {
  if (session === undefined) return undefined
  const [record] = await log.sessions({ session, limit: 1 })
  return record?.mode ?? undefined
}

async function findStart(session: string, log: Log): Promise<SessionStart | undefined> {
  const [record] = await log.sessions({ session, limit: 1 })
  if (!record) return undefined
  const events = await log.read({ session })
  return events.find((event) => event.type === 'session-start')
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
  readonly snapshot: Snapshot
  readonly caller: SessionCaller
}

function openSession({ id, host, snapshot, caller }: OpenParts): Session {
  const optionsOf = <Given extends SessionCallOptions>(given: Given | undefined) => ({
    ...caller,
    ...given,
    session: id,
    snapshot,
  })
  return {
    id,
    workspace: host.workspace,
    snapshot,
    call: (name, args, given) => host.call(name, args, optionsOf(given)),
    start: (name, args, given) => host.start(name, args, optionsOf(given)),
    check: (name, args, given) => host.check(name, args, optionsOf(given)),
    events: () => host.log.read({ session: id }),
    follow: (options = {}) => host.log.follow({ after: 0, ...options, session: id }),
  }
}
