import type { CheckReport } from '../../core/call/check-report.ts'
import type { Result } from '../../core/call/result.ts'
import type { FollowOptions, Log } from '../../core/ports/log.ts'
import type { CommittedEvent, Event } from '../../core/session/event.ts'
import type { Mode } from '../../core/session/mode.ts'
import type { Snapshot } from '../../core/tool/snapshot.ts'
import type { Parts } from '../../pipeline/request.ts'
import type { CallIds } from '../call-ids.ts'
import type { CallerOptions, CallOptions, CheckOptions, StartedCall } from '../call-starter.ts'
import type { LogReader } from '../home-options.ts'
import type { AllSessionTools, SessionTools } from './session-tools.ts'

/** Who answers for the calls of a session. */
export type SessionCaller = CallerOptions

/** What a session begins with; a selection that is absent means all, an empty one none, and it is locked from then on. */
export interface SessionOptions extends SessionCaller {
  readonly tools?: readonly string[]
  readonly mcpServers?: readonly string[]
  readonly model?: string
  readonly mode?: Mode
  /** The session whose agent starts this one. */
  readonly parent?: string
}

/** How a call of a session is made; the session says the rest. */
export type SessionCallOptions = Omit<CallOptions, 'session' | 'snapshot'>

/** One conversation or one caller: its calls keep their order and have the tools it began with. */
export interface Session {
  readonly id: string
  readonly workspace: string
  /** The tools it may use now. Those it began with, until their code is no longer kept: then the present ones of the same names, which `tools-changed` logs. */
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
  readonly log: LogReader
  call(name: string, args: unknown, options: CallOptions): Promise<Result>
  start(name: string, args: unknown, options: CallOptions): StartedCall
  check(name: string, args: unknown, options: CheckOptions): Promise<CheckReport>
}

interface BeginParts {
  readonly host: SessionHost
  readonly ids: CallIds
  readonly parts: Parts
  readonly sessions: AllSessionTools
}

/** Begins a session and logs what it begins with. Rejects where a tool of the selection is not there. */
export function beginSession(options: SessionOptions = {}, { host, ids, parts, sessions }: BeginParts): Session {
  const { approver, wait, mode = 'ask', ...start } = options
  const id = ids.nextSession()
  const tools = sessions.begin(id, options)
  parts.sessions.add(id)
  parts.emit({ type: 'session-start', session: id, workspace: host.workspace, mode, ...start })
  return openSession({ tools, host, caller: callerOf(approver, wait) })
}

interface ContinueParts {
  readonly log: Log
  readonly caller: SessionCaller | undefined
  host(workspace: string): Promise<SessionHost>
  sessionsOf(workspace: string): Promise<AllSessionTools>
}

/** Goes on with a session that the log knows, in its workspace: with the tools it has where it runs in this process, else with those it began with as they are now. */
export async function continueSession(id: string, parts: ContinueParts): Promise<Session> {
  const { log, caller = {} } = parts
  const [record] = await log.sessions({ session: id, limit: 1 })
  const events = record ? await log.read({ session: id }) : []
  const start = events.find((event) => event.type === 'session-start')
  if (!start) throw new Error(`there is no session ${JSON.stringify(id)} in the log`)
  const host = await parts.host(start.workspace)
  const sessions = await parts.sessionsOf(host.workspace)
  return openSession({ tools: sessions.resume(id, events), host, caller })
}

function callerOf(approver: CallerOptions['approver'], wait: boolean | undefined): SessionCaller {
  return { ...(approver && { approver }), ...(wait !== undefined && { wait }) }
}

interface OpenParts {
  readonly host: SessionHost
  readonly tools: SessionTools
  readonly caller: SessionCaller
}

function openSession({ host, tools, caller }: OpenParts): Session {
  const { session: id } = tools
  const optionsOf = <Given extends SessionCallOptions>(given: Given | undefined) => ({
    ...caller,
    ...given,
    session: id,
    snapshot: tools.snapshot,
  })
  return {
    id,
    workspace: host.workspace,
    get snapshot() {
      return tools.snapshot
    },
    call: (name, args, given) => host.call(name, args, optionsOf(given)),
    start: (name, args, given) => host.start(name, args, optionsOf(given)),
    check: (name, args, given) => host.check(name, args, optionsOf(given)),
    events: () => host.log.read({ session: id }),
    follow: (options = {}) => host.log.follow({ after: 0, ...options, session: id }),
  }
}
