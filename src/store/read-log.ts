import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { CallRecord } from '../core/call-record.ts'
import type { Event } from '../core/event.ts'
import type { CallFilter, EventFilter, SessionRecord, Tail } from '../core/store.ts'
import { DEFAULT_LIMIT } from './match-call.ts'

/** The queries of the log; each reads by an index and sees what is committed. */
export interface LogReader {
  sessions(limit: number): SessionRecord[]
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
  const end = database.prepare('SELECT coalesce(max(id), 0) AS id FROM events')
  const after = database.prepare('SELECT id, body FROM events WHERE id > ? ORDER BY id LIMIT ?')
  return {
    // Rows come in as the columns that were asked for.
    sessions: (limit) => sessions.all(limit).map((row) => ({ ...row }) as unknown as SessionRecord),
    calls: (filter) => readCalls(database, filter),
    events: (filter) => readEvents(database, filter),
    tail(cursor) {
      if (cursor < 0) return { events: [], cursor: Number(end.get()?.id) }
      const rows = after.all(cursor, TAIL_ROWS)
      return { events: rows.flatMap(eventsOf), cursor: Number(rows.at(-1)?.id ?? cursor) }
    },
  }
}

function readCalls(database: DatabaseSync, filter: CallFilter): CallRecord[] {
  const { session, call, tool, decision, outcome, since, before, limit = DEFAULT_LIMIT } = filter
  const terms: [string, ...SQLInputValue[]][] = []
  if (session !== undefined) terms.push(['session = ?', session])
  if (call !== undefined) terms.push(['call = ?', call])
  if (tool !== undefined) terms.push(['tool = ?', tool])
  // The second half lets SQLite use the index that leaves out the everyday case.
  if (decision !== undefined)
    terms.push([`decision = ? ${decision === 'allow' ? '' : "AND decision <> 'allow'"}`, decision])
  if (outcome !== undefined) terms.push([`outcome = ? ${outcome === 'ok' ? '' : "AND outcome <> 'ok'"}`, outcome])
  if (since !== undefined) terms.push(['at >= ?', since])
  if (before !== undefined) terms.push(['at <= ? AND (at < ? OR seq < ?)', before.at, before.at, before.seq])
  const where = terms.length === 0 ? '' : `WHERE ${terms.map(([text]) => text).join(' AND ')}`
  const values = terms.flatMap(([, ...rest]) => rest)
  const statement = database.prepare(
    `SELECT seq, session, call, tool, arguments, at, decision, rule, ran, outcome, duration FROM calls ${where}
     ORDER BY at DESC, seq DESC LIMIT ?`,
  )
  return statement.all(...values, limit).map(callOf)
}

/** A row of `calls` as a record; rows come in as the columns that were asked for. */
export function callOf({ last_seq: _, owner: __, ...row }: Record<string, unknown>): CallRecord {
  return { ...row, ran: row.ran === 1 } as unknown as CallRecord
}

function readEvents(database: DatabaseSync, filter: EventFilter): Event[] {
  const range = rangeOf(database, filter)
  if (!range) return []
  const { session, call, first, last } = range
  const rows = database
    .prepare(
      session === undefined
        ? 'SELECT first_seq, body FROM events WHERE last_seq >= ? ORDER BY last_seq'
        : 'SELECT first_seq, body FROM events WHERE session = ? AND last_seq >= ? ORDER BY last_seq',
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
  const row = database.prepare('SELECT session, call, last_seq FROM calls WHERE seq = ?').get(callSeq)
  if (!row) return undefined
  const { session: owner, call, last_seq } = row
  return { session: String(owner), call: String(call), first: Math.max(first, callSeq), last: Number(last_seq) }
}

/** The rows were written by us: what their text says is an Event. */
function eventsOf(row: Record<string, unknown>): Event[] {
  return JSON.parse(String(row.body)) as Event[]
}
