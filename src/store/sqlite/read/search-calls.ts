import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { CallRecord } from '../../../core/call/call-record.ts'
import type { CallFilter } from '../../../core/ports/log.ts'
import { CallWords, searchWords } from '../../find-words.ts'
import { DEFAULT_LIMIT, newerFirst } from '../../match-call.ts'
import { readCalls } from './read-calls.ts'
import { eventsOf } from './read-events.ts'
import { reading } from './reading.ts'
import { CHUNK, patternOf, SEARCHED } from './search-messages.ts'

/** Finds the calls whose events hold every word, the newest first. */
export async function searchCalls(database: DatabaseSync, text: string, filter: CallFilter): Promise<CallRecord[]> {
  const words = searchWords(text)
  const limit = filter.limit ?? DEFAULT_LIMIT
  if (words.length === 0) return []
  const rowsBetween = database.prepare(
    `SELECT first_cursor, session, writer, body FROM events WHERE last_cursor > ? AND last_cursor <= ?
     AND (${words.map(() => "body LIKE ? ESCAPE '\\'").join(' OR ')}) ORDER BY last_cursor DESC`,
  )
  const search = new CallWords(words)
  const found: CallRecord[] = []
  const searchChunk = (last: number): void => {
    for (const row of rowsBetween.iterate(last - CHUNK, last, ...words.map(patternOf)))
      for (const event of eventsOf(row)) {
        const call = search.add(event)
        if (call !== undefined) found.push(...readCalls(database, { ...filter, call, limit: 1 }))
      }
  }
  const end = reading(() => Number(database.prepare('SELECT next FROM counter').get()?.next))
  for (let last = end; last > Math.max(0, end - SEARCHED); last -= CHUNK) {
    reading(() => searchChunk(last))
    // No event of a call comes before its start, so that calls which started after this cursor are all found by now.
    if (found.filter(({ cursor }) => (cursor ?? 0) > last - CHUNK).length >= limit) break
    await setImmediate()
  }
  return found.sort(newerFirst).slice(0, limit)
}
