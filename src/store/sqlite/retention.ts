import type { DatabaseSync } from 'node:sqlite'

/** What the log keeps. */
export interface Retention {
  /** Sessions that were not used for so many days are removed. */
  readonly keepDays: number
  /** The oldest sessions are removed while the log is larger. */
  readonly maxBytes: number
}

/** How long one go may take, in milliseconds, and how long other work has until the next. */
const GO = 10
const PAUSE = 200
const AGAIN = 3_600_000
/** Rows removed in one transaction. */
const SLICE = 200
/** A session that was used within this time is never removed for its size. */
const IN_USE = 3_600_000

/** Removes what is too old or too much, a little at a time, now and every hour; returns how to stop. Never throws. */
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

/** A log that cannot be written keeps what it has; that it cannot is reported where events are written. */
function tryRemove(database: DatabaseSync, retention: Retention): boolean {
  try {
    return removeSome(database, retention, Date.now()) || removePieces(database, Date.now())
  } catch {
    return false
  }
}

/** How long pieces of a stream are kept after they were written. */
const KEEP_PIECES = 86_400_000

/** Removes up to a slice of the pieces of messages and of the outputs of calls that have ended; false when there are none. */
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

/** Removes up to a slice of the oldest session that has to go; false when none has to. */
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
