import type { DatabaseSync } from 'node:sqlite'
import { useCursors } from './use-cursors.ts'

/** The migrations from an empty file to the current format, in order. A released migration is never changed. */
export const MIGRATIONS: readonly (string | ((database: DatabaseSync) => void))[] = [
  `
  CREATE TABLE counter (one INTEGER PRIMARY KEY CHECK (one = 1), next INTEGER NOT NULL) STRICT;
  INSERT INTO counter VALUES (1, 1);

  CREATE TABLE sessions (
    session TEXT PRIMARY KEY, started_at INTEGER NOT NULL, last_at INTEGER NOT NULL, calls INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX sessions_by_use ON sessions (last_at);

  -- Events of one session that were committed together share a row; id is the order of commits.
  CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT, first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL, last_at INTEGER NOT NULL,
    session TEXT NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_by_session ON events (session, last_seq);
  CREATE INDEX events_by_seq ON events (last_seq);
  CREATE INDEX events_by_time ON events (last_at);

  CREATE TABLE calls (
    seq INTEGER PRIMARY KEY, session TEXT NOT NULL, call TEXT NOT NULL, tool TEXT NOT NULL, arguments TEXT NOT NULL,
    at INTEGER NOT NULL, decision TEXT, rule TEXT, ran INTEGER NOT NULL, outcome TEXT, duration REAL,
    last_seq INTEGER NOT NULL, owner TEXT -- the process that runs it, until it ends; see owner-lease.ts
  ) STRICT;
  CREATE INDEX calls_by_session ON calls (session);
  -- Stretch by stretch, so that writing stays in one corner of the index however many tools there are.
  CREATE INDEX calls_by_tool ON calls (seq >> 12, tool);
  CREATE INDEX calls_by_id ON calls (call);
  CREATE INDEX calls_decided ON calls (decision) WHERE decision <> 'allow';
  CREATE INDEX calls_failed ON calls (outcome) WHERE outcome <> 'ok';
  CREATE INDEX calls_open ON calls (owner) WHERE outcome IS NULL;

  -- One row for each effect, committed before it.
  CREATE TABLE ledger (
    seq INTEGER PRIMARY KEY, effect TEXT NOT NULL, idempotent INTEGER NOT NULL, at INTEGER NOT NULL, ended_at INTEGER
  ) STRICT;

  CREATE TABLE outputs (
    call TEXT NOT NULL, first_line INTEGER NOT NULL, last_line INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (call, first_line)
  ) STRICT;

  -- What changes of files replaced; contents are kept once.
  CREATE TABLE contents (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE replaced (
    id INTEGER PRIMARY KEY AUTOINCREMENT, call TEXT NOT NULL, workspace TEXT NOT NULL, at INTEGER NOT NULL,
    body TEXT NOT NULL, content TEXT
  ) STRICT;
  CREATE INDEX replaced_by_call ON replaced (call);
  CREATE INDEX replaced_by_workspace ON replaced (workspace);
  CREATE INDEX replaced_by_content ON replaced (content) WHERE content IS NOT NULL;
  `,
  `
  -- Questions that wait for a person, until their call has ended. What would run is here unmasked, and goes with the row.
  CREATE TABLE approvals (
    approval TEXT PRIMARY KEY, call_seq INTEGER NOT NULL, question TEXT NOT NULL, input TEXT NOT NULL,
    asked_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, owner TEXT NOT NULL, -- as in calls
    reply TEXT, answered_by TEXT, answered_at INTEGER
  ) STRICT;
  CREATE INDEX approvals_by_call ON approvals (call_seq);
  `,
  `
  ALTER TABLE calls ADD COLUMN task TEXT; -- where it stands as a task; NULL in the foreground
  CREATE INDEX calls_in_background ON calls (seq) WHERE task IS NOT NULL;
  `,
  `
  -- Calls of one session that came and went between two commits, were allowed and went well share a row: where the first
  -- and the last of them began, and the least and the greatest of their ids. All others are in calls.
  CREATE TABLE quiet_calls (
    last_seq INTEGER PRIMARY KEY, first_seq INTEGER NOT NULL, least_call TEXT NOT NULL, greatest_call TEXT NOT NULL,
    session TEXT NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX quiet_calls_by_session ON quiet_calls (session, last_seq);
  CREATE INDEX quiet_calls_by_id ON quiet_calls (greatest_call, least_call);
  DROP INDEX calls_by_tool;
  CREATE INDEX calls_of_tool ON calls (tool);
  `,
  `
  ALTER TABLE calls ADD COLUMN cleared_by TEXT; -- who allowed it; NULL where nobody has, and in older rows

  -- Calls that may have changed files without anything being kept of it, and why.
  CREATE TABLE unkept (call TEXT PRIMARY KEY, workspace TEXT NOT NULL, reason TEXT NOT NULL) STRICT;
  CREATE INDEX unkept_by_workspace ON unkept (workspace);
  -- Which undo has a call, made before it touches anything; what became of it stands in calls. Owner as in calls.
  CREATE TABLE undoing (call TEXT PRIMARY KEY, undo TEXT NOT NULL, owner TEXT NOT NULL) STRICT;
  `,
  useCursors,
  `
  ALTER TABLE sessions ADD COLUMN ended TEXT; -- how the last run ended; NULL where none has, or one is under way
  UPDATE sessions SET ended = (
    SELECT json_extract(one.value, '$.reason') FROM events, json_each(events.body) AS one
    WHERE events.session = sessions.session AND instr(events.body, '"run-end"') AND json_extract(one.value, '$.type') = 'run-end'
    ORDER BY last_cursor DESC, one.key DESC LIMIT 1
  );
  `,
]
