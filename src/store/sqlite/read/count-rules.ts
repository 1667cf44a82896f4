import type { DatabaseSync } from 'node:sqlite'

/** How many cursors back from the newest are counted: about 50,000 calls, in some 50 ms. */
const COUNTED = 200_000

/** Counts the calls since a time that each rule decided, in the newest part of the log. */
export function countRules(database: DatabaseSync, since: number): ReadonlyMap<string, number> {
  const newest = Number(database.prepare('SELECT next FROM counter').get()?.next)
  const from = newest - COUNTED
  const rows = database
    .prepare(
      `SELECT rule, sum(count) AS count FROM (
         SELECT rule, count(*) AS count FROM calls WHERE cursor >= ? AND at >= ? GROUP BY rule
         UNION ALL
         SELECT json_extract(value, '$[5]') AS rule, count(*) AS count FROM quiet_calls, json_each(body)
         WHERE last_cursor >= ? AND json_extract(value, '$[4]') >= ? GROUP BY 1
       ) WHERE rule IS NOT NULL GROUP BY rule`,
    )
    .all(from, since, from, since)
  return new Map(rows.map(({ rule, count }) => [String(rule), Number(count)]))
}
