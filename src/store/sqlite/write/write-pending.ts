import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { outputLines } from '../../../core/ports/outputs.ts'
import { isQuiet, quietWriter } from '../read/quiet-calls.ts'
import type { LiveCall, Pending } from './pending.ts'
import type { EventWriter } from './write-events.ts'
import { sessionWriter } from './write-session.ts'

/** The characters of output in one row. */
const PIECE_TEXT = 64_000

/** Returns a function that writes pending data inside a transaction of the event writer. */
export function createPendingWriter(
  database: DatabaseSync,
  owner: string,
  events: EventWriter,
): (pending: Pending) => void {
  const writeCalls = callsWriter(database, owner)
  const writeQuiet = quietWriter(database)
  const writeSession = sessionWriter(database)
  const writeLedger = database.prepare('INSERT OR IGNORE INTO ledger VALUES (?, ?, ?, ?, NULL)')
  const endLedger = database.prepare('UPDATE ledger SET ended_at = ? WHERE cursor = ?')
  const writeOutput = outputWriter(database)
  const writeUnkept = database.prepare('INSERT OR REPLACE INTO unkept VALUES (?, ?, ?)')
  return (pending) => {
    for (const [session, waiting] of pending.events) {
      events.write(session, waiting)
      writeSession(session, waiting)
    }
    const quiet: LiveCall[] = []
    const known: LiveCall[] = []
    for (const call of pending.calls) {
      // The events of a call that could not be written for long were dropped; its row stays, with its own cursor.
      if (call.record.cursor === undefined) call.record.cursor = events.skip()
      const isShared = isQuiet(call) && !pending.outputs.has(call.record.call)
      ;(isShared ? quiet : known).push(call)
    }
    writeQuiet(quiet)
    writeCalls(known)
    for (const { record, ledger } of pending.ledger)
      if (ledger) writeLedger.run(record.cursor ?? 0, ledger.effect, ledger.idempotent ? 1 : 0, Date.now())
    for (const { record, ledger } of pending.calls)
      if (ledger && record.outcome !== null) endLedger.run(Date.now(), record.cursor ?? 0)
    for (const [call, text] of pending.outputs) writeOutput(call, text)
    for (const { call, workspace, reason } of pending.unkept.values()) writeUnkept.run(call, workspace, reason)
  }
}

function callsWriter(database: DatabaseSync, owner: string): (calls: readonly LiveCall[]) => void {
  const upsert = database.prepare(`INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (cursor) DO UPDATE SET arguments = excluded.arguments, decision = excluded.decision, rule = excluded.rule,
    ran = excluded.ran, outcome = excluded.outcome, duration = excluded.duration,
    last_cursor = max(last_cursor, excluded.last_cursor), owner = excluded.owner, task = excluded.task,
    cleared_by = excluded.cleared_by`)
  return (calls) => {
    for (const call of calls) upsert.run(...rowOf(call, owner))
  }
}

function rowOf({ record, lastCursor }: LiveCall, owner: string): SQLInputValue[] {
  const { cursor = 0, session, call, tool, at, decision, rule, clearedBy, ran, outcome, duration, task } = record
  const open = outcome === null ? owner : null
  const head = [cursor, session, call, tool, record.arguments, at, decision, rule]
  return [...head, ran ? 1 : 0, outcome, duration, lastCursor, open, task, clearedBy]
}

function outputWriter(database: DatabaseSync): (call: string, text: string) => void {
  const clear = database.prepare('DELETE FROM outputs WHERE call = ?')
  const insert = database.prepare('INSERT INTO outputs VALUES (?, ?, ?, ?, ?)')
  return (call, text) => {
    clear.run(call)
    const lines = outputLines(text)
    for (let from = 0; from < lines.length; ) {
      let to = from
      for (let size = 0; to < lines.length && (size === 0 || size < PIECE_TEXT); to++)
        size += (lines[to]?.length ?? 0) + 1
      insert.run(call, from + 1, to, Date.now(), lines.slice(from, to).join('\n'))
      from = to
    }
  }
}
