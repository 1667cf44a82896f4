import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStorage } from '../../src/store/sqlite/open-storage.ts'
import { type LineProcess, startLines } from '../support/lines.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ROUNDS = 1_000

async function startWorker(path: string, name: string): Promise<LineProcess> {
  const worker = startLines('lease-worker.ts', [path, name])
  expect(await worker.next()).toBe('ready')
  return worker
}

test(`two processes ask for the lease of a session at once, ${ROUNDS} times: one gets it and receives the message of the other`, {
  timeout: 120_000,
}, async () => {
  const path = join(temporaryFolder(), 'log.db')
  const workers = await Promise.all([startWorker(path, 'one'), startWorker(path, 'two')])
  const wins = [0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    // Each gets its order first in turn, so that neither wins by the order alone.
    const order = round % 2 === 0 ? [0, 1] : [1, 0]
    const answers: (string | undefined)[] = []
    await Promise.all(
      order.map(async (one) => {
        answers[one] = await workers[one]?.ask(`race s${round}`)
      }),
    )
    expect([...answers].sort()).toEqual(['ran one,two', 'sent'])
    const winner = answers.indexOf('ran one,two')
    wins[winner] = (wins[winner] ?? 0) + 1
  }
  expect(Math.min(...wins)).toBeGreaterThan(0)
  const { log, leases, close } = openSqliteStorage({ path })
  onTestFinished(close)
  expect(await log.sessions({ limit: 2 * ROUNDS })).toHaveLength(ROUNDS)
  expect(await leases.isHeld('s0')).toBe(false)
  await Promise.all(workers.map((worker) => worker.end()))
})

test('a session is taken over when its process was killed, and the calls of a living process are never INTERRUPTED', async () => {
  const path = join(temporaryFolder(), 'log.db')
  const holder = await startWorker(path, 'one')
  expect(await holder.ask('hold s')).toBe('holder')

  const other = await startWorker(path, 'two')
  expect(await other.ask('claim s')).toBe('other')
  const { log, leases, close } = openSqliteStorage({ path })
  onTestFinished(close)
  expect(await leases.isHeld('s')).toBe(true)
  const outcome = async () => (await log.calls({ call: 'c_one_s' }))[0]?.outcome
  expect(await outcome()).toBeNull()

  await holder.kill()
  expect(await leases.isHeld('s')).toBe(false)
  expect(await other.ask('claim s')).toBe('holder')
  expect(await leases.isHeld('s')).toBe(true)
  expect(await outcome()).toBe('INTERRUPTED')
  const sent = (await log.read({ session: 's' })).filter(({ type }) => type === 'message')
  expect(sent).toMatchObject([{ content: 'one' }, { content: 'two' }, { content: 'two' }])
})
