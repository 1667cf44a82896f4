import type { Log, MessageHit } from '../../core/ports/log.ts'
import type { SessionRecord } from '../../core/session/session-record.ts'

/** A session that a search found, with the newest message that fits; without one where only its title does. */
export interface SessionHit {
  readonly session: SessionRecord
  readonly message?: MessageHit
}

/** How many sessions a search gives when no limit is set. */
const LIMIT = 20
/** How many messages are read for each session that is wanted: several may be of one session. */
const MESSAGES = 10
/** How many of the last used sessions are searched by title. */
const TITLES = 1_000

/** Finds sessions whose messages or title hold every word of a text, the newest message first, then those with a title that fits. */
export async function searchSessions(
  text: string,
  log: Pick<Log, 'search' | 'sessions'>,
  limit = LIMIT,
): Promise<readonly SessionHit[]> {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return []
  const found = new Map<string, SessionHit>()
  for (const message of await log.search(text, limit * MESSAGES)) {
    if (found.has(message.session)) continue
    const [session] = await log.sessions({ session: message.session, limit: 1 })
    if (session) found.set(message.session, { session, message })
  }
  for (const session of await log.sessions({ limit: TITLES })) {
    const title = session.title?.toLowerCase()
    if (title !== undefined && words.every((word) => title.includes(word)) && !found.has(session.session))
      found.set(session.session, { session })
  }
  return [...found.values()].slice(0, limit)
}
