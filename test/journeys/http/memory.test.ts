import { expect, onTestFinished, test } from 'vitest'
import { HAFT } from '../../../bench/http/names.ts'
import { startServer } from '../../../bench/http/server-child.ts'
import { createClient } from '../../../src/client/client.ts'

/** How many sessions are opened and closed before each weighing, and how many at once. */
const SESSIONS = 300
const TOGETHER = 30

/** What a session may leave behind at most, in bytes. A leak of its events, its stream or its connection is far more; bench/http weighs 10,000. */
const MOST = 2_500

test('sessions that are opened, followed and closed leave nothing behind in the memory of the server', {
  timeout: 240_000,
}, async () => {
  const server = await startServer(HAFT)
  onTestFinished(() => server.stop())
  const client = createClient({ url: `http://127.0.0.1:${server.port}`, token: server.token })
  const run = async () => {
    let left = SESSIONS
    const work = async () => {
      while (left-- > 0) {
        const { session } = await client.createSession({ message: 'list files', model: 'demo' })
        for await (const { type } of client.events({ session: session.session })) if (type === 'run-end') break
      }
    }
    await Promise.all(Array.from({ length: TOGETHER }, work))
    return (await server.used()).heap
  }
  // Code is compiled and caches are filled in the first round.
  await run()
  const before = await run()
  // The smallest of three: what a collection has not reached yet is no leak.
  const after = Math.min(await run(), await run(), await run())
  expect((after - before) / SESSIONS).toBeLessThan(MOST)
})
