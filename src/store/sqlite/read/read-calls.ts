import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { CallRecord } from '../../../core/call/call-record.ts'
import type { CallFilter } from '../../../core/ports/log.ts'
import { DEFAULT_LIMIT, newerFirst, prefixRange } from '../../match-call.ts'
import { readQuietCalls } from './quiet-calls.ts'

/** Returns the calls that match the filter, newest first. */
export function readCalls(database: DatabaseSync, given: CallFilter): CallRecord[] {
  const filter = { ...given, limit: given.limit ?? DEFAULT_LIMIT }
  const from = filter.since === undefined ? 0 : firstSince(database, filter.since)
  const rows = readRows(database, filter, from)
  const quiet = readQuietCalls(database, filter, from)
  return quiet.length === 0 ? rows : [...rows, ...quiet].sort(newerFirst).slice(0, filter.limit)
}

/** Turns a row of `calls`, with the workspace and parent of its session, into a record. */
export function callOf({ last_cursor: _, owner: __, cleared_by, ...row }: Record<string, unknown>): CallRecord {
  // The query returns exactly these columns.
  return { ...row, clearedBy: cleared_by, ran: row.ran === 1 } as unknown as CallRecord
}

type Term = readonly [text: string, ...values: SQLInputValue[]]

function termsOf(filter: CallFilter, from: number): Term[] {
  const { session, call, callPrefix, tool, decision, outcome, isTask, isOpen, since, before } = filter
  const terms: Term[] = []
  if (session !== undefined) terms.push(['c.session = ?', session])
  if (call !== undefined) terms.push(['call = ?', call])
  if (callPrefix !== undefined) terms.push(['call >= ? AND call < ?', ...prefixRange(callPrefix)])
  if (tool !== undefined) terms.push(['tool = ?', tool])
  // The second half lets SQLite use the partial index.
  if (decision !== undefined)
    terms.push([`decision = ?${decision === 'allow' ? '' : " AND decision <> 'allow'"}`, decision])
  if (outcome !== undefined) terms.push([`outcome = ?${outcome === 'ok' ? '' : " AND outcome <> 'ok'"}`, outcome])
  if (isOpen) terms.push(['outcome IS NULL'])
  if (isTask) terms.push(['task IS NOT NULL'])
  if (since !== undefined) terms.push(['cursor >= ? AND at >= ?', from, since])
  if (before !== undefined) terms.push(['cursor < ?', before])
  return terms
}

/** More cursors than a row can have. */
const ROW_CURSORS = 65_536

/** Returns a cursor before which no call started since then. The oldest row since then is not enough, because a process that could not write for a while commits late. */
function firstSince(database: DatabaseSync, since: number): number {
  const first = database.prepare('SELECT min(last_cursor) AS first FROM events WHERE last_at >= ?').get(since)?.first
  return typeof first === 'number' ? first - ROW_CURSORS : Number.MAX_SAFE_INTEGER
}

/** Finds the calls that have their own row, by an index. */
function readRows(database: DatabaseSync, filter: CallFilter & { limit: number }, from: number): CallRecord[] {
  const terms = termsOf(filter, from)
  const where = terms.length === 0 ? '' : `WHERE ${terms.map(([text]) => text).join(' AND ')}`
  const statement = database.prepare(
    `SELECT c.*, s.workspace, s.parent FROM calls c LEFT JOIN sessions s ON s.session = c.session ${where} ORDER BY cursor DESC LIMIT ?`,
  )
  return statement.all(...terms.flatMap(([, ...values]) => values), filter.limit).map(callOf)
}
