import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Log } from '../../../src/core/ports/log.ts'
import { isDelta } from '../../../src/core/session/event.ts'
import { openSqliteStorage } from '../../../src/store/sqlite/open-storage.ts'
import { startLines } from '../../support/lines.ts'
import { eventually } from '../../support/processes.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** What happens to one home: in each round two processes write, and are killed after so many calls. */
const history = fc.record({
  seed: fc.integer({ min: 0, max: 1_000_000 }),
  rounds: fc.array(fc.record({ first: fc.nat(60), second: fc.nat(60) }), { minLength: 1, maxLength: 2 }),
  /** Where followers begin, in thousandths of what is committed by then. */
  begins: fc.array(fc.nat(1_000), { minLength: 2, maxLength: 4 }),
})

test('whoever follows from any cursor sees every committed event once and in one order, though writers and followers are killed', {
  timeout: 180_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ seed, rounds, begins }) => {
      const folder = temporaryFolder()
      const path = join(folder, 'log.db')
      const workspaces = [temporaryFolder(), temporaryFolder()]
      const storage = openSqliteStorage({ path })
      onTestFinished(() => storage.close())
      const { log } = storage
      const followers = [follow(log, 0)]
      const elsewhere = followElsewhere(path)
      for (const [round, { first, second }] of rounds.entries()) {
        const runs = [first, second].map((calls, one) =>
          writeAndDie([folder, String(seed + 2 * round + one), ...workspaces], calls),
        )
        const end = await log.end()
        followers.push(...begins.map((begin) => follow(log, Math.floor((end * begin) / 1_000))))
        await Promise.all(runs)
        await elsewhere.restart()
      }
      // The calls of the killed processes get their ends, which are committed events as well.
      openSqliteStorage({ path }).close()
      const committed = (await log.read())
        .filter((event) => !isDelta(event))
        .map(({ cursor, id }) => ({ cursor: cursor ?? 0, id }))
      const last = committed.at(-1)?.cursor ?? 0
      for (const { after, seen } of followers) {
        await eventually(() => (seen.at(-1)?.cursor ?? 0) >= last)
        expect(seen).toEqual(committed.filter(({ cursor }) => cursor > after))
      }
      expect(await elsewhere.all(last)).toEqual(committed)
      expect(new Set(committed.map(({ id }) => id)).size).toBe(committed.length)
    }),
    { numRuns: 5 },
  )
})

interface Seen {
  readonly cursor: number
  readonly id: string
}

/** Follows in this process until the test ends. */
function follow(log: Log, after: number): { readonly after: number; readonly seen: readonly Seen[] } {
  const seen: Seen[] = []
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const run = async () => {
    for await (const event of log.follow({ after, signal: stop.signal }))
      if (!isDelta(event)) seen.push({ cursor: event.cursor, id: event.id })
  }
  run().catch(() => undefined)
  return { after, seen }
}

/** Makes calls in a process that is killed once so many of them have ended. */
async function writeAndDie(args: readonly string[], calls: number): Promise<void> {
  const worker = startLines('session-worker.ts', args)
  for (let line = 0; line <= calls; line++) await worker.next()
  await worker.kill()
}

/** Follows in a process that is killed and started again after the last event it printed. */
function followElsewhere(path: string) {
  const seen: Seen[] = []
  const start = () => startLines('follow-worker.ts', [path, String(seen.at(-1)?.cursor ?? 0)])
  const take = (line: string) => {
    const [cursor, id = ''] = line.split(' ')
    seen.push({ cursor: Number(cursor), id })
  }
  let worker = start()
  return {
    async restart() {
      for (const line of await worker.kill()) take(line)
      worker = start()
    },
    /** Everything it has seen, once it has come to a cursor. */
    async all(last: number) {
      while ((seen.at(-1)?.cursor ?? 0) < last) {
        const line = await worker.next()
        if (line === undefined) break
        take(line)
      }
      await worker.kill()
      return seen
    },
  }
}
