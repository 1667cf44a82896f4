import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { CallRecord } from '../../../core/call/call-record.ts'
import type { CallFilter } from '../../../core/ports/log.ts'
import { matchesCall, newerFirst, prefixRange } from '../../match-call.ts'
import type { LiveCall } from '../write/pending.ts'

/** How many calls share a row, which must be read to get one of them. */
const ROW_CALLS = 64

/** True for a call that started and ended between two commits, was allowed, succeeded, and has no other events. Most calls are like this, and a row with indexes for each would cost more than the call. */
export function isQuiet({ record, hasRow, ledger }: LiveCall): boolean {
  const { call, decision, outcome, task } = record
  const isPlain = decision === 'allow' && outcome === 'ok' && task === null
  return !hasRow && ledger === undefined && isPlain && ORDERED_ALIKE.test(call)
}

/** Ids that SQLite and JavaScript sort in the same order. */
const ORDERED_ALIKE = /^[\x20-\x7e]*$/

/** The data of a quiet call: cursor, call, tool, arguments, at, rule, duration, cursor of the last event, who allowed it (not in older rows). */
type QuietRow = [number, string, string, string, number, string | null, number | null, number, (string | null)?]

/** Returns a function that writes quiet calls inside a transaction. A row holds calls in the order of their cursors. */
export function quietWriter(database: DatabaseSync): (calls: readonly LiveCall[]) => void {
  const insert = database.prepare('INSERT INTO quiet_calls VALUES (?, ?, ?, ?, ?, ?)')
  return (calls) => {
    const ordered = [...calls].sort((a, b) => (a.record.cursor ?? 0) - (b.record.cursor ?? 0))
    for (const [session, own] of Map.groupBy(ordered, ({ record }) => record.session))
      for (let from = 0; from < own.length; from += ROW_CALLS) {
        const rows = own.slice(from, from + ROW_CALLS).map(quietRow)
        const ids = rows.map(([, call]) => call).sort()
        const range = [rows.at(-1)?.[0] ?? 0, rows[0]?.[0] ?? 0, ids[0] ?? '', ids.at(-1) ?? '']
        insert.run(...range, session, JSON.stringify(rows))
      }
  }
}

function quietRow({ record, lastCursor }: LiveCall): QuietRow {
  const { cursor = 0, call, tool, arguments: args, at, rule, duration, clearedBy } = record
  return [cursor, call, tool, args, at, rule, duration, lastCursor, clearedBy]
}

/** Returns the quiet calls that match the filter, newest first; `from` is a cursor before which there are none. */
export function readQuietCalls(database: DatabaseSync, filter: CallFilter, from: number): CallRecord[] {
  const { session, call, callPrefix, tool, before = Number.MAX_SAFE_INTEGER, limit = 0 } = filter
  const isPlain = (filter.decision ?? 'allow') === 'allow' && (filter.outcome ?? 'ok') === 'ok'
  if (!isPlain || filter.isTask || filter.isOpen) return []
  const terms: [string, ...SQLInputValue[]][] = [['last_cursor >= ? AND first_cursor < ?', from, before]]
  if (session !== undefined) terms.push(['q.session = ?', session])
  // In a separate select, so that SQLite uses the index of ids first.
  const within = 'last_cursor IN (SELECT last_cursor FROM quiet_calls WHERE greatest_call >= ? AND least_call <= ?)'
  if (call !== undefined) terms.push([within, call, call])
  if (callPrefix !== undefined) terms.push([within, ...prefixRange(callPrefix)])
  // A row without the word need not be parsed; in a row with it, the word may be part of the arguments.
  for (const word of [call, tool]) if (word !== undefined) terms.push(['instr(body, ?)', JSON.stringify(word)])
  const rows = database
    .prepare(
      `SELECT last_cursor, q.session, body, workspace, parent FROM quiet_calls q LEFT JOIN sessions s ON s.session = q.session
       WHERE ${terms.map(([text]) => text).join(' AND ')} ORDER BY last_cursor DESC`,
    )
    .iterate(...terms.flatMap(([, ...values]) => values))
  const found: CallRecord[] = []
  for (const row of rows) {
    if (found.length >= limit) {
      found.sort(newerFirst).splice(limit)
      if (Number(row.last_cursor) < (found.at(-1)?.cursor ?? 0)) break
    }
    for (const quiet of rowsOf(row)) {
      const record = recordOf(quiet, row)
      if (matchesCall(record, filter)) found.push(record)
    }
  }
  return found.sort(newerFirst).slice(0, limit)
}

/** The session of a quiet call, and the cursor of its last event. */
export interface QuietPlace {
  readonly session: string
  readonly call: string
  readonly lastCursor: number
}

/** Finds the quiet call that started at this cursor. */
export function findQuietCall(database: DatabaseSync, cursor: number): QuietPlace | undefined {
  const rows = database
    .prepare('SELECT session, body FROM quiet_calls WHERE last_cursor >= ? AND first_cursor <= ? ORDER BY last_cursor')
    .iterate(cursor, cursor)
  for (const row of rows) {
    const found = rowsOf(row).find(([start]) => start === cursor)
    if (found) return { session: String(row.session), call: found[1], lastCursor: found[7] }
  }
  return undefined
}

/** Parses a row. We wrote it, so its JSON has the expected type. */
function rowsOf({ body }: Record<string, unknown>): QuietRow[] {
  return JSON.parse(String(body)) as QuietRow[]
}

function recordOf(quiet: QuietRow, row: Record<string, unknown>): CallRecord {
  const [cursor, call, tool, args, at, rule, duration, _, clearedBy = null] = quiet
  const { session, workspace, parent } = row as Pick<CallRecord, 'session' | 'workspace' | 'parent'>
  const known = { decision: 'allow', ran: true, outcome: 'ok', task: null } as const
  return { cursor, session, workspace, parent, call, tool, arguments: args, at, rule, clearedBy, duration, ...known }
}
