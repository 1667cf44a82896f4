import type { DatabaseSync } from 'node:sqlite'
import type { EventFilter } from '../../../core/ports/log.ts'
import type { CommittedEvent, Event } from '../../../core/session/event.ts'
import { findQuietCall, type QuietPlace } from './quiet-calls.ts'
import { readCalls } from './read-calls.ts'

/** Returns committed events that match the filter, in commit order. */
export function readEvents(database: DatabaseSync, filter: EventFilter): CommittedEvent[] {
  const range = rangeOf(database, filter)
  if (!range) return []
  const { session, call, after, last } = range
  const limit = filter.limit ?? Number.POSITIVE_INFINITY
  const events: CommittedEvent[] = []
  for (const row of rowsAfter(database, after, session)) {
    if (Number(row.first_cursor) > last || events.length >= limit) break
    for (const event of eventsOf(row))
      if (
        event.cursor > after &&
        event.cursor <= last &&
        (call === undefined || ('call' in event && event.call === call))
      )
        events.push(event)
  }
  return events.length > limit ? events.slice(0, limit) : events
}

/** Yields the rows with events after a cursor, of one session or of all. */
export function rowsAfter(database: DatabaseSync, after: number, session?: string): Iterable<Record<string, unknown>> {
  const sql = `SELECT first_cursor, session, writer, body FROM events WHERE ${session === undefined ? '' : 'session = ? AND '}last_cursor > ?
    ORDER BY last_cursor`
  return database.prepare(sql).iterate(...(session === undefined ? [after] : [session, after]))
}

interface Range {
  readonly session: string | undefined
  readonly call: string | undefined
  readonly after: number
  readonly last: number
}

function rangeOf(database: DatabaseSync, { session, call, after = 0 }: EventFilter): Range | undefined {
  if (call === undefined) return { session, call, after, last: Number.MAX_SAFE_INTEGER }
  const [found] = readCalls(database, { call, limit: 1, ...(session !== undefined && { session }) })
  if (found?.cursor === undefined) return undefined
  const { lastCursor } = findCall(database, found.cursor) ?? { lastCursor: Number.MAX_SAFE_INTEGER }
  return { session: found.session, call, after: Math.max(after, found.cursor - 1), last: lastCursor }
}

function findCall(database: DatabaseSync, cursor: number): Pick<QuietPlace, 'lastCursor'> | undefined {
  const row = database.prepare('SELECT last_cursor FROM calls WHERE cursor = ?').get(cursor)
  return row ? { lastCursor: Number(row.last_cursor) } : findQuietCall(database, cursor)
}

/** Parses the events of a row. Events of formats before 6 have their cursor as `seq` and no writer. */
export function eventsOf(row: Record<string, unknown>): CommittedEvent[] {
  const { session, writer, first_cursor } = row
  // We wrote the rows, so their JSON has the expected type.
  const events = JSON.parse(String(row.body)) as (Event & {
    seq?: number
    session: string
    id: string
    cursor: number
  })[]
  const first = Number(first_cursor)
  for (const [i, event] of events.entries()) {
    event.session = String(session)
    event.cursor = event.seq ?? first + i
    event.id = event.seq === undefined ? `${writer}${event.id}` : `e_${event.seq}`
    delete event.seq
  }
  return events
}
