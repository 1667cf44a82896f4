import type { Event } from '../../core/session/event.ts'
import { newSession, type OpenSession } from '../../core/session/session-record.ts'
import { describeSession } from '../describe-session.ts'

/** How many sessions are remembered; the least recently used is forgotten first. */
const MAX_SESSIONS = 1_000

/** The sessions of a log in memory, also those whose events are gone. */
export interface MemorySessions {
  /** By id, the least recently used first. */
  readonly all: ReadonlyMap<string, OpenSession>
  /** Takes in one more event. */
  add(event: Event): void
  remove(session: string): void
}

/** Keeps the record of each session up to date. */
export function createMemorySessions(): MemorySessions {
  const all = new Map<string, OpenSession>()
  let last: OpenSession | undefined
  const use = (event: Event): OpenSession => {
    const record = all.get(event.session) ?? newSession(event.session, event.at)
    all.delete(event.session)
    all.set(event.session, record)
    const [oldest] = all.keys()
    if (all.size > MAX_SESSIONS && oldest !== undefined) all.delete(oldest)
    return record
  }
  const remove = (session: string): void => {
    all.delete(session)
    last = undefined
  }
  return {
    all,
    remove,
    add(event) {
      if (event.type === 'session-delete') return remove(event.session)
      if (last?.session !== event.session) last = use(event)
      describeSession(last, event)
    },
  }
}
