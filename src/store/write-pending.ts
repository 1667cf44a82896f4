import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Event } from '../core/event.ts'
import { outputLines } from '../core/outputs.ts'
import { eventText } from './event-text.ts'
import type { LiveCall, Pending, SessionChunk } from './pending.ts'
import { isQuiet, quietWriter } from './quiet-calls.ts'

/** The most events, and characters, that share a row: what must be read to get at one of them. */
const ROW_EVENTS = 128
const ROW_TEXT = 256_000

/** The characters of an output that share a row. */
const PIECE_TEXT = 64_000

/** Makes the function that writes what waits; to be called inside a transaction. */
export function createPendingWriter(database: DatabaseSync, owner: string): (pending: Pending) => void {
  const writeEvents = eventsWriter(database)
  const writeCalls = callsWriter(database, owner)
  const writeQuiet = quietWriter(database)
  const writeSession = database.prepare(`INSERT INTO sessions VALUES (?, ?, ?, ?) ON CONFLICT (session) DO UPDATE
    SET last_at = max(last_at, excluded.last_at), calls = calls + excluded.calls`)
  const writeLedger = database.prepare('INSERT OR IGNORE INTO ledger VALUES (?, ?, ?, ?, NULL)')
  const endLedger = database.prepare('UPDATE ledger SET ended_at = ? WHERE seq = ?')
  const writeOutput = outputWriter(database)
  const writeUnkept = database.prepare('INSERT OR REPLACE INTO unkept VALUES (?, ?, ?)')
  return (pending) => {
    for (const [session, chunk] of pending.chunks) {
      writeEvents(session, chunk)
      writeSession.run(session, chunk.events[0]?.at ?? 0, chunk.events.at(-1)?.at ?? 0, chunk.calls)
    }
    const { quiet = [], known = [] } = Object.groupBy(pending.calls, (call) =>
      isQuiet(call) && !pending.outputs.has(call.record.call) ? 'quiet' : 'known',
    )
    writeQuiet(quiet)
    writeCalls(known)
    for (const { record, ledger } of pending.ledger)
      if (ledger) writeLedger.run(record.seq, ledger.effect, ledger.idempotent ? 1 : 0, Date.now())
    for (const { record, ledger } of pending.calls)
      if (ledger && record.outcome !== null) endLedger.run(Date.now(), record.seq)
    for (const [call, text] of pending.outputs) writeOutput(call, text)
    for (const { call, workspace, reason } of pending.unkept.values()) writeUnkept.run(call, workspace, reason)
  }
}

function eventsWriter(database: DatabaseSync): (session: string, chunk: SessionChunk) => void {
  const insert = database.prepare(
    'INSERT INTO events (first_seq, last_seq, last_at, session, body) VALUES (?, ?, ?, ?, ?)',
  )
  return (session, { events, kept }) => {
    let row: Event[] = []
    let body = ''
    for (const [i, event] of events.entries()) {
      body += `${row.length === 0 ? '[' : ','}${eventText(event, kept[i])}`
      row.push(event)
      if (row.length < ROW_EVENTS && body.length < ROW_TEXT && i < events.length - 1) continue
      insert.run(row[0]?.seq ?? 0, event.seq, event.at, session, `${body}]`)
      row = []
      body = ''
    }
  }
}

function callsWriter(database: DatabaseSync, owner: string): (calls: readonly LiveCall[]) => void {
  const upsert =
    database.prepare(`INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (seq) DO UPDATE SET
    arguments = excluded.arguments, decision = excluded.decision, rule = excluded.rule, ran = excluded.ran, outcome = excluded.outcome,
    duration = excluded.duration, last_seq = excluded.last_seq, owner = excluded.owner, task = excluded.task,
    cleared_by = excluded.cleared_by`)
  return (calls) => {
    for (const call of calls) {
      upsert.run(...rowOf(call, owner))
      call.hasRow = true
    }
  }
}

function rowOf({ record, lastSeq }: LiveCall, owner: string): SQLInputValue[] {
  const { seq, session, call, tool, at, decision, rule, clearedBy, ran, outcome, duration, task } = record
  const open = outcome === null ? owner : null
  return [
    seq,
    session,
    call,
    tool,
    record.arguments,
    at,
    decision,
    rule,
    ran ? 1 : 0,
    outcome,
    duration,
    lastSeq,
    open,
    task,
    clearedBy,
  ]
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
