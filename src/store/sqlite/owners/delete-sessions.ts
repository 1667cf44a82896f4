import type { DatabaseSync } from 'node:sqlite'
import type { Event, EventBody } from '../../../core/session/event.ts'
import type { EventWriter } from '../write/write-events.ts'

/** What deleting needs of its storage. */
export interface DeleteParts {
  readonly database: DatabaseSync
  readonly events: EventWriter
  lives(owner: string): boolean
  stamp(body: EventBody): Event
}

/** A session and every session below it. */
const FAMILY = `WITH RECURSIVE family (session) AS (
  SELECT session FROM sessions WHERE session = ? AND deleted_at IS NULL UNION SELECT s.session FROM sessions s
  JOIN family f ON s.parent = f.session WHERE s.deleted_at IS NULL)`

/** Deletes a session and those below it, inside a transaction; false while a living process runs one of them. Calls that had an effect keep their row and their undo data until retention. */
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

/** The workspace and the parent stay, for the calls that do. */
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
