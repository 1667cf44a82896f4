import type { DatabaseSync } from 'node:sqlite'

/** Migrates to format 6: events have the cursor of their commit, sessions have workspace, parent and holder, and paths can be locked. */
export function useCursors(database: DatabaseSync): void {
  database.exec(CURSORS)
  rewriteOldEvents(database)
  database.exec('DROP TABLE old_events')
}

/**
 * Turns the old positions of events into cursors. Rows of processes that wrote at the same time overlap;
 * they are split into one row for each event, so that rows no longer overlap.
 */
const CURSORS = `
  ALTER TABLE events RENAME TO old_events;
  DROP INDEX events_by_session;
  DROP INDEX events_by_seq;
  DROP INDEX events_by_time;

  -- Events of one session that were committed together share a row; their cursors follow one another from first_cursor on,
  -- and their ids begin with the writer. Events of formats before 6 have no writer, and their cursor in the body, as seq.
  -- A row with a stream holds one piece of it and may be removed once the whole is in the log.
  CREATE TABLE events (
    last_cursor INTEGER PRIMARY KEY, first_cursor INTEGER NOT NULL, last_at INTEGER NOT NULL,
    session TEXT NOT NULL, writer TEXT NOT NULL, stream TEXT, body TEXT NOT NULL
  ) STRICT;
  WITH ranges AS (
    SELECT *, max(last_seq) OVER (ORDER BY first_seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before,
      lead(first_seq) OVER (ORDER BY first_seq) AS after
    FROM old_events
  ), rows AS (
    SELECT *, coalesce(before >= first_seq, 0) OR coalesce(after <= last_seq, 0) AS overlaps FROM ranges
  )
  INSERT INTO events
    SELECT last_seq, first_seq, last_at, session, '', NULL, body FROM rows WHERE NOT overlaps
    UNION ALL
    SELECT json_extract(one.value, '$.seq'), json_extract(one.value, '$.seq'), json_extract(one.value, '$.at'), session, '', NULL,
      json_array(json(one.value))
    FROM rows, json_each(body) AS one WHERE overlaps;
  CREATE INDEX events_by_session ON events (session, last_cursor);
  CREATE INDEX events_by_time ON events (last_at);
  CREATE INDEX pieces_by_time ON events (last_at) WHERE stream IS NOT NULL;
  UPDATE counter SET next = max(next, (SELECT coalesce(max(last_cursor), 0) + 1 FROM events));

  ALTER TABLE calls RENAME COLUMN seq TO cursor;
  ALTER TABLE calls RENAME COLUMN last_seq TO last_cursor;
  ALTER TABLE ledger RENAME COLUMN seq TO cursor;
  ALTER TABLE approvals RENAME COLUMN call_seq TO call_cursor;
  ALTER TABLE quiet_calls RENAME COLUMN last_seq TO last_cursor;
  ALTER TABLE quiet_calls RENAME COLUMN first_seq TO first_cursor;

  ALTER TABLE sessions ADD COLUMN workspace TEXT;
  ALTER TABLE sessions ADD COLUMN parent TEXT;
  ALTER TABLE sessions ADD COLUMN title TEXT;
  ALTER TABLE sessions ADD COLUMN model TEXT;
  ALTER TABLE sessions ADD COLUMN mode TEXT;
  ALTER TABLE sessions ADD COLUMN holder TEXT; -- the process that runs it; see owners/owner-lock.ts
  ALTER TABLE sessions ADD COLUMN last_message INTEGER; -- the cursor of the last message that was sent to it
  ALTER TABLE sessions ADD COLUMN deleted_at INTEGER; -- calls that had an effect stay until retention
  CREATE INDEX sessions_by_parent ON sessions (parent) WHERE parent IS NOT NULL;

  -- Paths that calls under way write to; owner as in calls.
  CREATE TABLE path_locks (lock TEXT NOT NULL, owner TEXT NOT NULL, path TEXT NOT NULL) STRICT;
  CREATE INDEX path_locks_by_lock ON path_locks (lock);
`

/** Event types whose members changed in this format. */
const CHANGED = /"type":"call-(?:delta|trouble|delegate)"/

/** Adds offsets to output events and renames events. */
function rewriteOldEvents(database: DatabaseSync): void {
  const found = database
    .prepare(
      `SELECT last_cursor FROM events
       WHERE instr(body, '"call-delta"') OR instr(body, '"call-trouble"') OR instr(body, '"call-delegate"') ORDER BY last_cursor`,
    )
    .all()
  const read = database.prepare('SELECT body FROM events WHERE last_cursor = ?')
  const write = database.prepare('UPDATE events SET body = ? WHERE last_cursor = ?')
  const offsets = new Map<string, number>()
  // One row at a time: all of them may not fit into memory.
  for (const row of found) {
    const cursor = Number(row.last_cursor)
    const body = String(read.get(cursor)?.body)
    if (!CHANGED.test(body)) continue
    // The rows were written by earlier formats: lists of events.
    const events = JSON.parse(body) as OldEvent[]
    write.run(JSON.stringify(events.map((event) => rewrite(event, offsets))), cursor)
  }
}

interface OldEvent {
  readonly type: string
  readonly call: string
  readonly text?: string
  readonly seq: number
}

function rewrite(event: OldEvent, offsets: Map<string, number>): object {
  if (event.type === 'call-trouble') return { ...event, type: 'call-problem' }
  if (event.type === 'call-delegate') return { ...event, type: 'delegate-answer', delegate: `d_${event.seq}` }
  if (event.type !== 'call-delta') return event
  const offset = offsets.get(event.call) ?? 0
  offsets.set(event.call, offset + (event.text?.length ?? 0))
  return { ...event, offset }
}
