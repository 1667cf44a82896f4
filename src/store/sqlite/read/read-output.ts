import type { DatabaseSync } from 'node:sqlite'
import type { OutputStore } from '../../../core/ports/output-store.ts'
import { cutLines } from '../../../core/ports/outputs.ts'
import type { WriteBehind } from '../write/write-behind.ts'

/** Prepares the reading of kept outputs by line range. */
export function createOutputReader(database: DatabaseSync, behind: WriteBehind): OutputStore['read'] {
  const count = database.prepare('SELECT max(last_line) AS total FROM outputs WHERE call = ?')
  const pieces = database.prepare(
    'SELECT first_line, text FROM outputs WHERE call = ? AND last_line >= ? AND first_line <= ? ORDER BY first_line',
  )
  return async (call, from, to) => {
    behind.flush()
    const waiting = behind.pending().outputs.get(call)
    if (waiting !== undefined) return cutLines(waiting, from, to)
    const total = count.get(call)?.total
    if (typeof total !== 'number') return undefined
    const rows = pieces.all(call, from, to)
    const first = Number(rows[0]?.first_line ?? from)
    const lines = rows.flatMap((row) => String(row.text).split('\n')).slice(from - first, to - first + 1)
    return { lines, from, to: from + lines.length - 1, total }
  }
}
