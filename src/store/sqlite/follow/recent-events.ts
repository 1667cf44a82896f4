import type { DatabaseSync } from 'node:sqlite'
import type { CommittedEvent } from '../../../core/session/event.ts'
import { eventsOf } from '../read/read-events.ts'

/** How many rows, and about how many characters, are kept for followers. */
const KEPT_ROWS = 2_048
const KEPT_TEXT = 8_000_000
/** The most rows and characters read at once, before other work gets a turn. */
const TURN_ROWS = 64
const TURN_TEXT = 4_000_000

/** The most recently committed events, read once for all followers. */
export interface RecentEvents {
  /** Every event after this cursor, up to `to`, is in the list. */
  readonly from: number
  readonly to: number
  /** Reads some of the new events; returns true when there may be more. They stay at least until the next read. */
  refresh(): boolean
  /** Returns the first event after a cursor, which is at least `from`; undefined when there is none. */
  after(cursor: number, session: string | undefined): CommittedEvent | undefined
}

interface RecentRow {
  readonly last: number
  readonly session: string
  readonly size: number
  readonly events: readonly CommittedEvent[]
}

/** Creates the list, starting at the current end of the log. */
export function createRecentEvents(database: DatabaseSync): RecentEvents {
  const next = database.prepare('SELECT next FROM counter')
  const read = database.prepare(
    'SELECT first_cursor, last_cursor, session, writer, body FROM events WHERE last_cursor > ? ORDER BY last_cursor LIMIT ?',
  )
  let to = Number(next.get()?.next) - 1
  let from = to
  let size = 0
  let rows: RecentRow[] = []

  const trim = (): void => {
    let dropped = 0
    for (; rows.length - dropped > KEPT_ROWS || size > KEPT_TEXT; dropped++) {
      size -= rows[dropped]?.size ?? 0
      from = rows[dropped]?.last ?? from
    }
    if (dropped > 0) rows = rows.slice(dropped)
  }
  /** Removes deleted sessions, so that their events are no longer yielded. */
  const forget = (session: string): void => {
    rows = rows.filter((row) => row.session !== session)
    size = rows.reduce((sum, row) => sum + row.size, 0)
  }
  return {
    get from() {
      return from
    },
    get to() {
      return to
    },
    refresh() {
      trim()
      let taken = 0
      let text = 0
      for (const row of read.iterate(to, TURN_ROWS)) {
        const made = recentRow(row)
        if (made.events.some(({ type }) => type === 'session-delete')) forget(made.session)
        rows.push(made)
        size += made.size
        text += made.size
        to = made.last
        if (++taken === TURN_ROWS || text >= TURN_TEXT) return true
      }
      return false
    },
    after(cursor, session) {
      for (let i = firstRowAfter(rows, cursor); i < rows.length; i++) {
        const row = rows[i]
        if (!row || (session !== undefined && row.session !== session)) continue
        const event = row.events.find((one) => one.cursor > cursor)
        if (event) return event
      }
      return undefined
    },
  }
}

function recentRow(row: Record<string, unknown>): RecentRow {
  return {
    last: Number(row.last_cursor),
    session: String(row.session),
    size: String(row.body).length,
    events: eventsOf(row),
  }
}

/** Returns the index of the first row that ends after a cursor; rows are in ascending order. */
function firstRowAfter(rows: readonly RecentRow[], cursor: number): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.last ?? 0) > cursor) high = middle
    else low = middle + 1
  }
  return low
}
