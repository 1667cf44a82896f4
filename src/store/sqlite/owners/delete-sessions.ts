import type { DatabaseSync } from 'node:sqlite'
import type { Event, EventBody } from '../../../core/session/event.ts'
import type { EventWriter } from '../write/write-events.ts'

/** The parts of the storage that deleting uses. */
export interface DeleteParts {
  readonly database: DatabaseSync
  readonly events: EventWriter
  lives(owner: string): boolean
  stamp(body: EventBody): Event
}

/** Selects a session and all its descendants. */
const FAMILY = `WITH RECURSIVE family (session) AS (
  SELECT session FROM sessions WHERE session = ? AND deleted_at IS NULL UNION SELECT s.session FROM sessions s
  JOIN family f ON s.parent = f.session WHERE s.deleted_at IS NULL)`

/** Deletes a session and its descendants, inside a transaction; returns false while a living process runs one of them. Calls with an effect keep their row and undo data until retention removes them. */
export function deleteSessions(session: string, { database, events, lives, stamp }: DeleteParts): boolean {
  const family = database
    .prepare(`${FAMILY} SELECT session FROM family`)
    .all(session)
    .map((row) => String(row.session))
  if (family.some((one) => isRunning(database, one, lives))) return false
  const forget = database.prepare(FORGET)
  for (const one of family) {
    for (const sql of DELETIONS) database.prepare(sql).run(one)
    const event = stamp({ type: 'session-delete', session: one })
    events.writeOne(event)
    forget.run(event.at, one)
  }
  return true
}

function isRunning(database: DatabaseSync, session: string, lives: (owner: string) => boolean): boolean {
  const owners = database.prepare(
    `SELECT holder AS owner FROM sessions WHERE session = ? AND holder IS NOT NULL
     UNION SELECT owner FROM calls WHERE session = ? AND outcome IS NULL AND owner IS NOT NULL`,
  )
  return owners.all(session, session).some((row) => lives(String(row.owner)))
}

/** Keeps workspace and parent for the calls that stay. */
const FORGET = `UPDATE sessions SET deleted_at = ?, holder = NULL, title = NULL, model = NULL, mode = NULL, calls = 0
  WHERE session = ?`

const HAD_EFFECT = 'cursor IN (SELECT cursor FROM ledger)'

const DELETIONS = [
  'DELETE FROM outputs WHERE call IN (SELECT call FROM calls WHERE session = ?)',
  'DELETE FROM approvals WHERE call_cursor IN (SELECT cursor FROM calls WHERE session = ?)',
  'DELETE FROM events WHERE session = ?',
  'DELETE FROM quiet_calls WHERE session = ?',
  `DELETE FROM calls WHERE session = ? AND NOT ${HAD_EFFECT}`,
] as const
