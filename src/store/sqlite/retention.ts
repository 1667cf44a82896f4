import type { DatabaseSync } from 'node:sqlite'

/** The limits of the log. */
export interface Retention {
  /** The number of days after which unused sessions are removed. */
  readonly keepDays: number
  /** The size of the log above which the oldest sessions are removed. */
  readonly maxBytes: number
}

/** How long one slice of work may take, and the pause until the next, in milliseconds. */
const GO = 10
const PAUSE = 200
const AGAIN = 3_600_000
/** How many rows are removed in one transaction. */
const SLICE = 200
/** A session used within this time is never removed because of the size. */
const IN_USE = 3_600_000

/** Removes data beyond the limits in small slices, now and every hour. Returns a function that stops it. Never throws. */
export function keepRetention(database: DatabaseSync, retention: Retention): () => void {
  let timer: NodeJS.Timeout | undefined
  const go = () => {
    const until = performance.now() + GO
    let more = true
    while (more && performance.now() < until) more = tryRemove(database, retention)
    timer = setTimeout(go, more ? PAUSE : AGAIN)
    timer.unref()
  }
  go()
  return () => clearTimeout(timer)
}

/** Ignores a log that cannot be written; that is reported where events are written. */
function tryRemove(database: DatabaseSync, retention: Retention): boolean {
  try {
    return removeSome(database, retention, Date.now()) || removePieces(database, Date.now())
  } catch {
    return false
  }
}

/** How long stream pieces are kept after they were written. */
const KEEP_PIECES = 86_400_000

/** Removes up to one slice of stream pieces of messages and ended calls; returns false when there are none. */
export function removePieces(database: DatabaseSync, now: number): boolean {
  const removed = database
    .prepare(
      `DELETE FROM events WHERE last_cursor IN (
         SELECT last_cursor FROM events WHERE stream IS NOT NULL AND last_at < ?
         AND NOT EXISTS (SELECT 1 FROM calls WHERE call = substr(stream, 6) AND outcome IS NULL) LIMIT ?)`,
    )
    .run(now - KEEP_PIECES, SLICE)
  return Number(removed.changes) > 0
}

/** Removes up to one slice of the oldest session beyond the limits; returns false when there is none. */
export function removeSome(database: DatabaseSync, { keepDays, maxBytes }: Retention, now: number): boolean {
  const oldest = database.prepare('SELECT session, last_at FROM sessions ORDER BY last_at LIMIT 1').get()
  if (!oldest) return false
  const age = now - Number(oldest.last_at)
  const tooOld = age > keepDays * 86_400_000
  if (!tooOld && (age < IN_USE || sizeOf(database) <= maxBytes)) return false
  database.exec('BEGIN IMMEDIATE')
  try {
    removeSlice(database, String(oldest.session))
    database.exec('COMMIT; PRAGMA incremental_vacuum(500)')
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw thrown
  }
  return true
}

function removeSlice(database: DatabaseSync, session: string): void {
  const calls = database.prepare('SELECT cursor, call FROM calls WHERE session = ? LIMIT ?').all(session, SLICE)
  for (const { cursor, call } of calls) {
    for (const [sql, key] of [
      ['DELETE FROM outputs WHERE call = ?', call],
      ['DELETE FROM replaced WHERE call = ?', call],
      ['DELETE FROM unkept WHERE call = ?', call],
      ['DELETE FROM undoing WHERE call = ?', call],
      ['DELETE FROM approvals WHERE call_cursor = ?', cursor],
      ['DELETE FROM ledger WHERE cursor = ?', cursor],
      ['DELETE FROM calls WHERE cursor = ?', cursor],
    ] as const)
      database.prepare(sql).run(key ?? null)
  }
  const events = database
    .prepare('DELETE FROM events WHERE last_cursor IN (SELECT last_cursor FROM events WHERE session = ? LIMIT ?)')
    .run(session, SLICE)
  const quiet = database
    .prepare(
      'DELETE FROM quiet_calls WHERE last_cursor IN (SELECT last_cursor FROM quiet_calls WHERE session = ? LIMIT ?)',
    )
    .run(session, SLICE)
  if (calls.length === SLICE || Number(events.changes) === SLICE || Number(quiet.changes) === SLICE) return
  database.prepare('DELETE FROM sessions WHERE session = ?').run(session)
  database.exec('DELETE FROM contents WHERE hash NOT IN (SELECT content FROM replaced WHERE content IS NOT NULL)')
}

function sizeOf(database: DatabaseSync): number {
  const read = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name])
  return (read('page_count') - read('freelist_count')) * read('page_size')
}
