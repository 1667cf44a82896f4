import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { CallRecord } from '../../../core/call/call-record.ts'
import type { CallFilter, EventFilter, Log, SessionFilter } from '../../../core/ports/log.ts'
import type { Event } from '../../../core/session/event.ts'
import { newSession, type OpenSession, type SessionRecord } from '../../../core/session/session-record.ts'
import { describeSession, matchesSession } from '../../describe-session.ts'
import { SEARCH_LIMIT } from '../../find-words.ts'
import { DEFAULT_LIMIT, matchesCall, newerFirst, prefixRange } from '../../match-call.ts'
import type { Pending } from '../write/pending.ts'
import type { WriteBehind } from '../write/write-behind.ts'
import { countRules } from './count-rules.ts'
import { readCalls } from './read-calls.ts'
import { readEvents } from './read-events.ts'
import { reading } from './reading.ts'
import { searchCalls } from './search-calls.ts'
import { searchMessages } from './search-messages.ts'

/** Creates the log queries. Pending events are written first; when that fails, they are merged into the results. */
export function createLogQueries(
  database: DatabaseSync,
  behind: WriteBehind,
): Pick<Log, 'sessions' | 'calls' | 'searchCalls' | 'countRules' | 'read' | 'search' | 'end'> {
  const unwritten = (): Pending | undefined => (behind.flush() ? undefined : behind.pending())
  return {
    async sessions(filter = {}) {
      const kept = unwritten()
      const rows = reading(() => readSessions(database, filter))
      if (!kept) return rows
      const find = (session: string) => reading(() => readSessions(database, { session })[0])
      return addSessions(rows, kept, { filter, find })
    },
    async calls(filter = {}) {
      const kept = unwritten()
      const rows = reading(() => readCalls(database, filter))
      return kept ? addCalls(rows, kept, filter) : rows
    },
    async read(filter = {}) {
      const kept = unwritten()
      const rows = reading(() => readEvents(database, filter))
      return kept ? [...rows, ...waitingEvents(kept, filter)].slice(0, filter.limit) : rows
    },
    async search(text, limit = SEARCH_LIMIT) {
      behind.flush()
      return searchMessages(database, text, limit)
    },
    async searchCalls(text, filter = {}) {
      behind.flush()
      return searchCalls(database, text, filter)
    },
    async countRules(since) {
      behind.flush()
      return reading(() => countRules(database, since))
    },
    async end() {
      behind.flush()
      return reading(() => Number(database.prepare('SELECT next FROM counter').get()?.next) - 1)
    },
  }
}

function readSessions(database: DatabaseSync, filter: SessionFilter): SessionRecord[] {
  const terms = ['deleted_at IS NULL']
  const values: SQLInputValue[] = []
  for (const column of ['session', 'workspace', 'parent'] as const) {
    const value = filter[column]
    if (value === undefined) continue
    terms.push(`${column} = ?`)
    values.push(value)
  }
  if (filter.prefix !== undefined) {
    terms.push('session >= ? AND session < ?')
    values.push(...prefixRange(filter.prefix))
  }
  const rows = database.prepare(
    `SELECT session, workspace, parent, title, model, mode, started_at AS startedAt, last_at AS lastAt, calls, ended
     FROM sessions WHERE ${terms.join(' AND ')} ORDER BY last_at DESC LIMIT ?`,
  )
  // The query returns exactly these columns.
  return rows.all(...values, filter.limit ?? DEFAULT_LIMIT).map((row) => ({ ...row }) as unknown as SessionRecord)
}

interface SessionSearch {
  readonly filter: SessionFilter
  find(session: string): SessionRecord | undefined
}

function addSessions(rows: readonly SessionRecord[], { events }: Pending, search: SessionSearch): SessionRecord[] {
  const { filter, find } = search
  const bySession = new Map<string, SessionRecord>(rows.map((row) => [row.session, row]))
  for (const [session, waiting] of events) {
    const record: OpenSession = { ...(find(session) ?? newSession(session, waiting[0]?.event.at ?? 0)) }
    for (const { event } of waiting) describeSession(record, event)
    if (matchesSession(record, filter)) bySession.set(session, record)
  }
  return [...bySession.values()].sort((a, b) => b.lastAt - a.lastAt).slice(0, filter.limit ?? DEFAULT_LIMIT)
}

function addCalls(rows: readonly CallRecord[], { calls }: Pending, filter: CallFilter): CallRecord[] {
  const waiting = [...calls].map(({ record }) => record).filter((record) => matchesCall(record, filter))
  const known = new Set(waiting.map(({ call }) => call))
  const others = rows.filter(({ call }) => !known.has(call))
  return [...waiting, ...others].sort(newerFirst).slice(0, filter.limit ?? DEFAULT_LIMIT)
}

function waitingEvents({ events }: Pending, { session, call }: EventFilter): Event[] {
  const all = [...events.values()].flatMap((waiting) => waiting.map(({ event }) => event))
  return all.filter(
    (event) =>
      (session === undefined || event.session === session) &&
      (call === undefined || ('call' in event && event.call === call)),
  )
}
