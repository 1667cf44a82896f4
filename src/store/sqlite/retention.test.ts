import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { appendCall, callEvents } from '../../../test/support/call-events.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { openSqliteStorage } from './open-storage.ts'
import { removePieces, removeSome } from './retention.ts'

const DAY = 86_400_000

/** A log with an old session and a new one, each with calls, outputs and replaced contents. */
async function logOfTwoSessions(): Promise<{ path: string; database: DatabaseSync }> {
  const path = join(temporaryFolder(), 'log.db')
  const { log, outputs, undo, close } = openSqliteStorage({ path })
  for (const session of ['old', 'new'])
    for (let i = 0; i < 450; i++) {
      const call = `${session}${i}`
      appendCall(log, {
        call,
        session,
        decision: i % 2 === 0 ? 'allow' : 'ask',
        arguments: { text: 'x'.repeat(1_000) },
      })
      if (i > 0) continue
      await outputs.keep(call, 'output')
      const bytes = Buffer.from(session)
      undo.keep({
        call,
        workspace: '/w',
        path: 'a',
        before: { type: 'file', mode: 0o644, bytes },
        after: null,
      })
    }
  close()
  const database = new DatabaseSync(path)
  database.prepare("UPDATE sessions SET last_at = ? WHERE session = 'old'").run(Date.now() - 10 * DAY)
  return { path, database }
}

const count = (database: DatabaseSync, table: string) =>
  Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n)

function removeAll(database: DatabaseSync, retention: Parameters<typeof removeSome>[1], now = Date.now()): void {
  while (removeSome(database, retention, now));
}

it('removes sessions that were not used for so many days, and keeps the others', async () => {
  const { database } = await logOfTwoSessions()
  removeAll(database, { keepDays: 11, maxBytes: 1e9 })
  expect(count(database, 'sessions')).toBe(2)
  removeAll(database, { keepDays: 9, maxBytes: 1e9 })
  for (const table of ['calls', 'quiet_calls'])
    expect(database.prepare(`SELECT DISTINCT session FROM ${table}`).all()).toEqual([{ session: 'new' }])
  expect(database.prepare('SELECT DISTINCT session FROM events').all()).toEqual([{ session: 'new' }])
  for (const table of ['sessions', 'outputs', 'replaced', 'contents']) expect(count(database, table), table).toBe(1)
  database.close()
})

it('removes the oldest sessions while the log is too large, but none that is in use', async () => {
  const { database } = await logOfTwoSessions()
  removeAll(database, { keepDays: 1_000, maxBytes: 1_000 })
  expect(database.prepare('SELECT session FROM sessions').all()).toEqual([{ session: 'new' }])
  database.close()
})

it('is done when a log is opened with it', async () => {
  const { path, database } = await logOfTwoSessions()
  const store = openSqliteStorage({ path, retention: { keepDays: 9, maxBytes: 1e9 } })
  const rows = count(database, 'calls')
  expect(rows).toBeLessThan(900)
  store.close()
  database.close()
})

it('removes the pieces of streams after a day, but not those of a call that is open', async () => {
  const path = join(temporaryFolder(), 'log.db')
  const { log, close } = openSqliteStorage({ path })
  for (const call of ['ended', 'open']) {
    for (const body of callEvents({ call }).slice(0, 3)) log.append(body)
    for (let i = 0; i < 300; i++) {
      log.append({ type: 'call-delta', session: 's1', call, text: 'piece', offset: i * 5 })
      // A commit for each, so that they are not joined.
      await log.read({ limit: 1 })
    }
  }
  log.append({ type: 'message-delta', session: 's1', text: 'Hello', offset: 0 })
  log.append({ type: 'message', session: 's1', role: 'assistant', content: 'Hello' })
  for (const body of callEvents({ call: 'ended' }).slice(3)) log.append(body)
  const pieces = async () =>
    Object.groupBy(
      (await log.read()).filter(({ type }) => type.endsWith('-delta')),
      (event) => ('call' in event ? event.call : 'message'),
    )
  expect(Object.keys(await pieces()).sort()).toEqual(['ended', 'message', 'open'])
  const others = (await log.read()).filter(({ type }) => !type.endsWith('-delta'))
  const database = new DatabaseSync(path)
  expect(removePieces(database, Date.now() + DAY / 2)).toBe(false)
  while (removePieces(database, Date.now() + 2 * DAY));
  expect(Object.keys(await pieces())).toEqual(['open'])
  expect((await pieces()).open).toHaveLength(300)
  expect((await log.read()).filter(({ type }) => !type.endsWith('-delta'))).toEqual(others)
  database.close()
  close()
})
