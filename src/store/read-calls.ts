import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { CallRecord } from '../core/call-record.ts'
import type { CallFilter } from '../core/store.ts'
import { DEFAULT_LIMIT, newerFirst, prefixRange } from './match-call.ts'
import { readQuietCalls } from './quiet-calls.ts'
import { BLOCK } from './sequence.ts'

/** Calls that the filter lets through, newest first. */
export function readCalls(database: DatabaseSync, given: CallFilter): CallRecord[] {
  const filter = { ...given, limit: given.limit ?? DEFAULT_LIMIT }
  const from = filter.since === undefined ? 0 : firstSince(database, filter.since)
  const rows = readRows(database, filter, from)
  const quiet = readQuietCalls(database, filter, from)
  return quiet.length === 0 ? rows : [...rows, ...quiet].sort(newerFirst).slice(0, filter.limit)
}

/** A row of `calls` as a record; rows come in as the columns that were asked for. */
export function callOf({ last_seq: _, owner: __, cleared_by, ...row }: Record<string, unknown>): CallRecord {
  return { ...row, clearedBy: cleared_by, ran: row.ran === 1 } as unknown as CallRecord
}

type Term = readonly [text: string, ...values: SQLInputValue[]]

function termsOf(filter: CallFilter, from: number): Term[] {
  const { session, call, callPrefix, tool, decision, outcome, isTask, since, before } = filter
  const terms: Term[] = []
  if (session !== undefined) terms.push(['session = ?', session])
  if (call !== undefined) terms.push(['call = ?', call])
  if (callPrefix !== undefined) terms.push(['call >= ? AND call < ?', ...prefixRange(callPrefix)])
  if (tool !== undefined) terms.push(['tool = ?', tool])
  // The second half lets SQLite use the index that leaves out the everyday case.
  if (decision !== undefined)
    terms.push([`decision = ?${decision === 'allow' ? '' : " AND decision <> 'allow'"}`, decision])
  if (outcome !== undefined) terms.push([`outcome = ?${outcome === 'ok' ? '' : " AND outcome <> 'ok'"}`, outcome])
  if (isTask) terms.push(['task IS NOT NULL'])
  if (since !== undefined) terms.push(['seq >= ? AND at >= ?', from, since])
  if (before !== undefined) terms.push(['seq < ?', before])
  return terms
}

/** A place before which nothing happened since then: rows are few, and processes that write at once are at most a few blocks apart. */
function firstSince(database: DatabaseSync, since: number): number {
  const row = database.prepare('SELECT first_seq FROM events WHERE last_at >= ? ORDER BY last_at LIMIT 1').get(since)
  return row ? Number(row.first_seq) - 16 * BLOCK : Number.MAX_SAFE_INTEGER
}

/** Those that have a row of their own, found by an index. */
function readRows(database: DatabaseSync, filter: CallFilter & { limit: number }, from: number): CallRecord[] {
  const terms = termsOf(filter, from)
  const where = terms.length === 0 ? '' : `WHERE ${terms.map(([text]) => text).join(' AND ')}`
  const statement = database.prepare(`SELECT * FROM calls ${where} ORDER BY seq DESC LIMIT ?`)
  return statement.all(...terms.flatMap(([, ...values]) => values), filter.limit).map(callOf)
}
