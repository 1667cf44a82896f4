import { type Failure, failure } from '../../core/call/result.ts'
import type { Storage } from '../../core/ports/storage.ts'
import type { CallIds } from '../calls/call-ids.ts'
import { continueSession, type Session, type SessionCaller, type SessionHost } from '../sessions/session.ts'
import type { AllSessionTools } from '../sessions/session-tools.ts'
import type { AgentParts } from './agent-parts.ts'
import { type ForkOptions, forkSession } from './fork-session.ts'
import { type SessionHit, searchSessions } from './search-sessions.ts'

/** What a home does with the sessions that its log knows. */
export interface HomeSessions {
  /** Goes on with a session that the log knows; rejects where it does not. */
  session(id: string, caller?: SessionCaller): Promise<Session>
  /** Copies a session up to an event into a new session and opens that; `before` leaves the event out, for a message that is to be written anew. Rejects where there is no such event. */
  fork(session: string, event: string, options?: ForkOptions & SessionCaller): Promise<Session>
  /** Finds sessions whose messages or title hold every word, the newest message first. */
  search(text: string, limit?: number): Promise<readonly SessionHit[]>
  /** Removes a session with its messages, outputs and the sessions below it; CONFLICT while one of them runs. */
  deleteSession(id: string): Promise<Failure | undefined>
}

interface HomeSessionParts {
  readonly storage: Storage
  readonly ids: CallIds
  host(workspace: string): Promise<SessionHost>
  agent(workspace: string): Promise<AgentParts>
  sessionsOf(workspace: string): Promise<AllSessionTools>
}

/** Creates the session operations of a home. */
export function createHomeSessions({ storage, ids, host, agent, sessionsOf }: HomeSessionParts): HomeSessions {
  const { log, leases } = storage
  const session = (id: string, caller?: SessionCaller) => continueSession(id, { log, host, caller, agent, sessionsOf })
  return {
    session,
    async fork(from, event, { before, ...caller } = {}) {
      const { next: nextCall, nextSession } = ids
      const given = { event, ...(before && { before }) }
      return session(await forkSession(from, given, { storage, nextCall, nextSession }), caller)
    },
    search: (text, limit) => searchSessions(text, log, limit),
    async deleteSession(id) {
      if (await leases.delete(id)) return undefined
      return failure('CONFLICT', `The session ${id} is running, or one that it started. Stop it first.`)
    },
  }
}
