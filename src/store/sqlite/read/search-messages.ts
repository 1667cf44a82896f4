import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { MessageHit } from '../../../core/ports/log.ts'
import { findWords, searchWords } from '../../find-words.ts'
import { eventsOf } from './read-events.ts'
import { reading } from './reading.ts'

/** How many cursors are searched before other work of the process gets its turn. */
export const CHUNK = 20_000
/** How many cursors are searched at most, the newest ones. */
export const SEARCHED = 2_000_000

/** Finds the messages that hold every word, the newest first. */
export async function searchMessages(database: DatabaseSync, text: string, limit: number): Promise<MessageHit[]> {
  const words = searchWords(text)
  if (words.length === 0) return []
  const rowsBetween = database.prepare(
    `SELECT first_cursor, session, writer, body FROM events WHERE last_cursor > ? AND last_cursor <= ?
     AND instr(body, '"type":"message"')${words.map(() => " AND body LIKE ? ESCAPE '\\'").join('')} ORDER BY last_cursor DESC`,
  )
  const patterns = words.map(patternOf)
  const end = reading(() => Number(database.prepare('SELECT next FROM counter').get()?.next))
  const hits: MessageHit[] = []
  const searchChunk = (last: number): void => {
    for (const row of rowsBetween.iterate(last - CHUNK, last, ...patterns)) {
      hits.push(
        ...eventsOf(row)
          .reverse()
          .flatMap((event) => findWords(event, words) ?? []),
      )
      if (hits.length >= limit) return
    }
  }
  for (let last = end; last > Math.max(0, end - SEARCHED) && hits.length < limit; last -= CHUNK) {
    reading(() => searchChunk(last))
    await setImmediate()
  }
  return hits.slice(0, limit)
}

/** A word as it stands in JSON, as a pattern of LIKE; LIKE ignores case only of ASCII, so other letters match anything. */
export function patternOf(word: string): string {
  const escaped = JSON.stringify(word)
    .slice(1, -1)
    .replace(/[\\%_]/g, '\\$&')
  return `%${escaped.replace(/[^\x20-\x7e]/gu, '%')}%`
}
