import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { appendCall } from '../../test/support/call-events.ts'
import { temporaryFolder } from '../../test/support/example-host.ts'
import { removeSome } from './retention.ts'
import { openSqliteStore } from './sqlite.ts'

const DAY = 86_400_000

/** A log with an old session and a new one, each with calls, outputs and replaced contents. */
function logOfTwoSessions(): { path: string; database: DatabaseSync } {
  const path = join(temporaryFolder(), 'log.db')
  const store = openSqliteStore({ path })
  for (const session of ['old', 'new'])
    for (let i = 0; i < 450; i++) {
      const call = `${session}${i}`
      appendCall(store, {
        call,
        session,
        decision: i % 2 === 0 ? 'allow' : 'ask',
        arguments: { text: 'x'.repeat(1_000) },
      })
      if (i > 0) continue
      store.keepOutput(call, 'output')
      const bytes = Buffer.from(session)
      store.keepReplaced({
        call,
        workspace: '/w',
        path: 'a',
        before: { type: 'file', mode: 0o644, bytes },
        after: null,
      })
    }
  store.close()
  const database = new DatabaseSync(path)
  database.prepare("UPDATE sessions SET last_at = ? WHERE session = 'old'").run(Date.now() - 10 * DAY)
  return { path, database }
}

const count = (database: DatabaseSync, table: string) =>
  Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n)

function removeAll(database: DatabaseSync, retention: Parameters<typeof removeSome>[1], now = Date.now()): void {
  while (removeSome(database, retention, now));
}

it('removes sessions that were not used for so many days, whole, and keeps the others', () => {
  const { database } = logOfTwoSessions()
  removeAll(database, { keepDays: 11, maxBytes: 1e9 })
  expect(count(database, 'sessions')).toBe(2)
  removeAll(database, { keepDays: 9, maxBytes: 1e9 })
  for (const table of ['calls', 'quiet_calls'])
    expect(database.prepare(`SELECT DISTINCT session FROM ${table}`).all()).toEqual([{ session: 'new' }])
  expect(database.prepare('SELECT DISTINCT session FROM events').all()).toEqual([{ session: 'new' }])
  for (const table of ['sessions', 'outputs', 'replaced', 'contents']) expect(count(database, table), table).toBe(1)
  database.close()
})

it('removes the oldest sessions while the log is too large, but none that is in use', () => {
  const { database } = logOfTwoSessions()
  removeAll(database, { keepDays: 1_000, maxBytes: 1_000 })
  expect(database.prepare('SELECT session FROM sessions').all()).toEqual([{ session: 'new' }])
  database.close()
})

it('is done when a log is opened with it', () => {
  const { path, database } = logOfTwoSessions()
  const store = openSqliteStore({ path, retention: { keepDays: 9, maxBytes: 1e9 } })
  const rows = count(database, 'calls')
  expect(rows).toBeLessThan(900)
  store.close()
  database.close()
})
