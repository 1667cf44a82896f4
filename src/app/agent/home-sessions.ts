import { type Failure, failure } from '../../core/call/result.ts'
import type { SessionFilter } from '../../core/ports/log.ts'
import type { Storage } from '../../core/ports/storage.ts'
import type { SessionRecord, SessionSummary } from '../../core/session/session-record.ts'
import type { CallIds } from '../calls/call-ids.ts'
import type { OpenedTools } from '../open-tools.ts'
import { continueSession, type Session, type SessionCaller, type SessionHost } from '../sessions/session.ts'
import { summariseSessions } from '../sessions/summarise-sessions.ts'
import type { Undo } from '../undo.ts'
import type { AgentParts } from './agent-parts.ts'
import { type ForkOptions, forkSession } from './fork-session.ts'
import { type RewindOptions, type Rewound, rewindSession } from './rewind-session.ts'
import { type SessionHit, searchSessions } from './search-sessions.ts'

/** What a home does with the sessions that its log knows. */
export interface HomeSessions {
  /** Goes on with a session that the log knows; rejects where it does not. */
  session(id: string, caller?: SessionCaller): Promise<Session>
  /** Copies a session up to an event into a new session and opens that; `before` leaves the event out, for a message that is to be written anew. Rejects where there is no such event. */
  fork(session: string, event: string, options?: ForkOptions & SessionCaller): Promise<Session>
  /** Lists sessions with what each does now, the last used first. */
  sessions(filter?: SessionFilter): Promise<readonly SessionSummary[]>
  /** Goes back to before a message, files and conversation together. The session stays; a copy of it goes on. */
  rewind(session: string, event: string, options?: RewindOptions): Promise<Rewound | Failure>
  /** Finds sessions whose messages or title hold every word, the newest message first. */
  search(text: string, limit?: number): Promise<readonly SessionHit[]>
  /** Removes a session with its messages, outputs and the sessions below it; CONFLICT while one of them runs. */
  deleteSession(id: string): Promise<Failure | undefined>
}

interface HomeSessionParts {
  readonly storage: Storage
  readonly ids: CallIds
  host(workspace: string): Promise<SessionHost & Undo & { close(): Promise<void> }>
  /** The sessions that wait for a person. */
  asking(): Promise<ReadonlySet<string>>
  agent(workspace: string): Promise<AgentParts>
  toolsOf(workspace: string): Promise<Pick<OpenedTools, 'sessions' | 'ready'>>
}

/** Creates the session operations of a home. */
export function createHomeSessions(parts: HomeSessionParts): HomeSessions {
  const { storage, ids, host, agent, toolsOf, asking } = parts
  const { log, leases } = storage
  const session = (id: string, caller?: SessionCaller) => continueSession(id, { log, host, caller, agent, toolsOf })
  const forkAt = (from: string, given: { readonly event: string } & ForkOptions) =>
    forkSession(from, given, { storage, nextCall: ids.next, nextSession: ids.nextSession })
  return {
    session,
    async fork(from, event, { before, ...caller } = {}) {
      return session(await forkAt(from, { event, ...(before && { before }) }), caller)
    },
    sessions: async (filter) => summariseSessions(await log.sessions(filter).then(withoutPlans), { storage, asking }),
    rewind: (id, event, options = {}) =>
      rewindSession({ session: id, event }, options, {
        storage,
        host,
        fork: (from, at) => forkAt(from, { event: at, before: true }),
      }),
    search: (text, limit) => searchSessions(text, log, limit),
    async deleteSession(id) {
      const [known] = await log.sessions({ session: id, limit: 1 })
      if (!known) return failure('FILE_NOT_FOUND', `There is no session ${JSON.stringify(id)}.`)
      if (await leases.delete(id)) return undefined
      return failure('CONFLICT', `The session ${id} is running, or one that it started. Stop it first.`)
    },
  }
}

/** The session of a plan is no conversation: `home.plans` lists it. */
function withoutPlans(sessions: readonly SessionRecord[]): readonly SessionRecord[] {
  return sessions.filter(({ session }) => !/^p_/.test(session))
}
