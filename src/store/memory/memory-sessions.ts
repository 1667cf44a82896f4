import type { CommittedEvent } from '../../core/session/event.ts'
import { newSession, type OpenSession } from '../../core/session/session-record.ts'
import { describeSession } from '../describe-session.ts'

/** How many sessions are remembered at least; the least recently used are forgotten first. */
const MAX_SESSIONS = 1_000

/** The sessions of a log in memory, also those whose events are gone. */
export interface MemorySessions {
  /** By id, the least recently used first. */
  readonly all: ReadonlyMap<string, OpenSession>
  /** Takes in one more event. */
  add(event: CommittedEvent): void
  /** Returns the cursor of the first event of a session; 0 if it is not known. */
  firstOf(session: string | undefined): number
  remove(session: string): void
}

/** Keeps the record of each session up to date. */
export function createMemorySessions(): MemorySessions {
  const all = new Map<string, OpenSession>()
  const first = new Map<string, number>()
  let last: OpenSession | undefined
  const remove = (session: string): void => {
    all.delete(session)
    first.delete(session)
    last = undefined
  }
  /** Removes many at once: looking for the first entry of a Map passes all that were removed before it. */
  const removeOldest = (): void => {
    for (const session of all.keys()) {
      if (all.size <= MAX_SESSIONS) return
      remove(session)
    }
  }
  const use = ({ session, at, cursor }: CommittedEvent): OpenSession => {
    const known = all.get(session)
    if (known) all.delete(session)
    else first.set(session, cursor)
    const record = known ?? newSession(session, at)
    all.set(session, record)
    if (all.size > MAX_SESSIONS * 1.25) removeOldest()
    return record
  }
  return {
    all,
    remove,
    firstOf: (session) => (session === undefined ? 0 : (first.get(session) ?? 0)),
    add(event) {
      if (event.type === 'session-delete') return remove(event.session)
      if (last?.session !== event.session) last = use(event)
      describeSession(last, event)
    },
  }
}
