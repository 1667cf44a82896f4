import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { CallRecord } from '../core/call-record.ts'
import type { CallFilter } from '../core/store.ts'
import { DEFAULT_LIMIT } from './match-call.ts'
import { BLOCK } from './sequence.ts'

/** How many places of the log one stretch of the index of tools has, as a power of two; the index says it too. */
const STRETCH = 12

/** Calls that the filter lets through, newest first, found by an index. */
export function readCalls(database: DatabaseSync, filter: CallFilter): CallRecord[] {
  const terms = termsOf(database, filter)
  const limit = filter.limit ?? DEFAULT_LIMIT
  return isByTool(filter) ? readStretches(database, terms, limit) : readOnce(database, terms, limit)
}

/** A row of `calls` as a record; rows come in as the columns that were asked for. */
export function callOf({ last_seq: _, owner: __, ...row }: Record<string, unknown>): CallRecord {
  return { ...row, ran: row.ran === 1 } as unknown as CallRecord
}

type Term = readonly [text: string, ...values: SQLInputValue[]]

function termsOf(database: DatabaseSync, filter: CallFilter): Term[] {
  const { session, call, tool, decision, outcome, since, before } = filter
  const terms: Term[] = []
  if (session !== undefined) terms.push(['session = ?', session])
  if (call !== undefined) terms.push(['call = ?', call])
  if (tool !== undefined) terms.push(['tool = ?', tool])
  // The second half lets SQLite use the index that leaves out the everyday case.
  if (decision !== undefined)
    terms.push([`decision = ?${decision === 'allow' ? '' : " AND decision <> 'allow'"}`, decision])
  if (outcome !== undefined) terms.push([`outcome = ?${outcome === 'ok' ? '' : " AND outcome <> 'ok'"}`, outcome])
  if (since !== undefined) terms.push(['seq >= ? AND at >= ?', firstSince(database, since), since])
  if (before !== undefined) terms.push(['seq < ?', before])
  return terms
}

/** A place before which nothing happened since then: rows are few, and processes that write at once are at most a few blocks apart. */
function firstSince(database: DatabaseSync, since: number): number {
  const row = database.prepare('SELECT first_seq FROM events WHERE last_at >= ? ORDER BY last_at LIMIT 1').get(since)
  return row ? Number(row.first_seq) - 16 * BLOCK : Number.MAX_SAFE_INTEGER
}

/** True where nothing narrows the search better than the tool. */
function isByTool({ tool, session, call, decision, outcome }: CallFilter): boolean {
  const isRare = (decision !== undefined && decision !== 'allow') || (outcome !== undefined && outcome !== 'ok')
  return tool !== undefined && session === undefined && call === undefined && !isRare
}

function readOnce(database: DatabaseSync, terms: readonly Term[], limit: number): CallRecord[] {
  const where = terms.length === 0 ? '' : `WHERE ${terms.map(([text]) => text).join(' AND ')}`
  const statement = database.prepare(`SELECT * FROM calls ${where} ORDER BY seq DESC LIMIT ?`)
  return statement.all(...terms.flatMap(([, ...values]) => values), limit).map(callOf)
}

/** One stretch of the log after another, the last first, until there are enough. */
function readStretches(database: DatabaseSync, terms: readonly Term[], limit: number): CallRecord[] {
  const ends = database
    .prepare('SELECT (SELECT min(seq) FROM calls) AS first, (SELECT max(seq) FROM calls) AS last')
    .get()
  const statement = database.prepare(
    `SELECT * FROM calls INDEXED BY calls_by_tool WHERE seq >> ${STRETCH} = ? AND ${terms.map(([text]) => text).join(' AND ')} ORDER BY seq DESC LIMIT ?`,
  )
  const values = terms.flatMap(([, ...rest]) => rest)
  const stretchOf = (seq: unknown) => Math.floor(Number(seq) / 2 ** STRETCH)
  const records: CallRecord[] = []
  for (let stretch = stretchOf(ends?.last); stretch >= stretchOf(ends?.first) && records.length < limit; stretch--)
    records.push(...statement.all(stretch, ...values, limit - records.length).map(callOf))
  return records
}
