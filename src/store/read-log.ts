import type { DatabaseSync } from 'node:sqlite'
import type { CallRecord } from '../core/call-record.ts'
import type { Event } from '../core/event.ts'
import type { CallFilter, EventFilter, SessionRecord, Tail } from '../core/store.ts'
import { prefixRange } from './match-call.ts'
import { findQuietCall, type QuietPlace } from './quiet-calls.ts'
import { readCalls } from './read-calls.ts'

/** The queries of the log; each reads by an index and sees what is committed. */
export interface LogReader {
  sessions(limit: number, prefix: string): SessionRecord[]
  calls(filter: CallFilter): CallRecord[]
  events(filter: EventFilter): Event[]
  tail(cursor: number): Tail
}

/** The most rows a follower gets at once. */
const TAIL_ROWS = 200

/** Prepares the queries. */
export function createLogReader(database: DatabaseSync): LogReader {
  const sessions = database.prepare(
    'SELECT session, started_at AS startedAt, last_at AS lastAt, calls FROM sessions ORDER BY last_at DESC LIMIT ?',
  )
  const sessionsFrom = database.prepare(
    `SELECT session, started_at AS startedAt, last_at AS lastAt, calls FROM sessions
     WHERE session >= ? AND session < ? ORDER BY last_at DESC LIMIT ?`,
  )
  const end = database.prepare('SELECT coalesce(max(id), 0) AS id FROM events')
  const after = database.prepare('SELECT id, session, body FROM events WHERE id > ? ORDER BY id LIMIT ?')
  return {
    // Rows come in as the columns that were asked for.
    sessions(limit, prefix) {
      const rows = prefix === '' ? sessions.all(limit) : sessionsFrom.all(...prefixRange(prefix), limit)
      return rows.map((row) => ({ ...row }) as unknown as SessionRecord)
    },
    calls: (filter) => readCalls(database, filter),
    events: (filter) => readEvents(database, filter),
    tail(cursor) {
      if (cursor < 0) return { events: [], cursor: Number(end.get()?.id) }
      const rows = after.all(cursor, TAIL_ROWS)
      return { events: rows.flatMap(eventsOf), cursor: Number(rows.at(-1)?.id ?? cursor) }
    },
  }
}

function readEvents(database: DatabaseSync, filter: EventFilter): Event[] {
  const range = rangeOf(database, filter)
  if (!range) return []
  const { session, call, first, last } = range
  const rows = database
    .prepare(
      session === undefined
        ? 'SELECT first_seq, session, body FROM events WHERE last_seq >= ? ORDER BY last_seq'
        : 'SELECT first_seq, session, body FROM events WHERE session = ? AND last_seq >= ? ORDER BY last_seq',
    )
    .iterate(...(session === undefined ? [first] : [session, first]))
  const events: Event[] = []
  const limit = filter.limit ?? Number.POSITIVE_INFINITY
  for (const row of rows) {
    if (Number(row.first_seq) > last || events.length >= limit) break
    for (const event of eventsOf(row))
      if (event.seq >= first && event.seq <= last && (call === undefined || ('call' in event && event.call === call)))
        events.push(event)
  }
  return events.sort((a, b) => a.seq - b.seq).slice(0, limit)
}

interface Range {
  readonly session: string | undefined
  readonly call: string | undefined
  readonly first: number
  readonly last: number
}

function rangeOf(database: DatabaseSync, { session, callSeq, after }: EventFilter): Range | undefined {
  const first = after === undefined ? 0 : after + 1
  if (callSeq === undefined) return { session, call: undefined, first, last: Number.MAX_SAFE_INTEGER }
  const found = findCall(database, callSeq)
  return found && { ...found, first: Math.max(first, callSeq), last: found.lastSeq }
}

function findCall(database: DatabaseSync, seq: number): QuietPlace | undefined {
  const row = database.prepare('SELECT session, call, last_seq FROM calls WHERE seq = ?').get(seq)
  if (!row) return findQuietCall(database, seq)
  return { session: String(row.session), call: String(row.call), lastSeq: Number(row.last_seq) }
}

/** The rows were written by us: what their text says is an Event. */
function eventsOf(row: Record<string, unknown>): Event[] {
  const events = JSON.parse(String(row.body)) as Event[]
  for (const event of events) event.session = String(row.session)
  return events
}
