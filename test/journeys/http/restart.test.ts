import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createClient, type StreamedEvent } from '../../../src/client/client.ts'
import { isDelta } from '../../../src/core/session/event.ts'
import { startServeProcess } from '../../support/http/serve-process.ts'
import { eventually } from '../../support/processes.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const STREAMS = 50
const keyOf = ({ cursor, id }: StreamedEvent) => `${cursor} ${id}`

test('kill -9 and restart in the middle of a session with 50 streams: every client ends with the same events, none lost or doubled', {
  timeout: 120_000,
}, async () => {
  const place = { folder: join(temporaryFolder(), 'home'), workspace: temporaryFolder() }
  let server = await startServeProcess(place)
  const client = createClient({
    url: 'http://haft',
    token: server.token,
    fetch: (path, init) => fetch(String(path).replace('http://haft', server.url), init),
  })
  const { session } = await client.createSession({
    message: 'run for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.1; done',
    model: 'demo',
    mode: 'auto',
  })
  const id = session.session
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const readers = Array.from({ length: STREAMS }, (_, at) => {
    const seen: StreamedEvent[] = []
    const read = async () => {
      // Half of them follow the session, half of them all sessions from the first event on.
      const which = at % 2 === 0 ? { session: id } : { after: 0, sessions: [id] }
      for await (const event of client.events({ ...which, signal: stop.signal })) seen.push(event)
    }
    read().catch((thrown) => seen.push(thrown))
    return seen
  })
  await eventually(() => readers.every((seen) => seen.some(({ type }) => type === 'call-run')))
  expect(await server.end('SIGKILL')).toBe(null)
  server = await startServeProcess(place)
  expect((await server.client.getSession({ id })).session.state).toBe('interrupted')
  // The call that was under way is not repeated: its outcome is unknown, and the session goes on.
  await server.client.sendMessage({ id, message: 'list files' })
  await eventually(async () => (await server.client.getSession({ id })).session.state === 'idle')
  const { events } = await server.client.listEvents({ session: id, limit: 10_000 })
  const expected = events.filter((event) => !isDelta(event)).map(keyOf)
  expect(
    events.some((event) => event.type === 'call-end' && !event.result.ok && event.result.code === 'INTERRUPTED'),
  ).toBe(true)
  for (const seen of readers) {
    const settled = () => seen.filter((event) => !isDelta(event)).map(keyOf)
    await eventually(() => settled().length >= expected.length)
    expect(settled()).toEqual(expected)
  }
})

test('200 sessions that stream at once lose nothing', { timeout: 180_000 }, async () => {
  const place = { folder: join(temporaryFolder(), 'home'), workspace: temporaryFolder() }
  const { client } = await startServeProcess(place)
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const streams = await Promise.all(
    Array.from({ length: 200 }, async (_, at) => {
      const { session } = await client.createSession({
        message: `write ${at}.txt with "${at}" then list files`,
        model: 'demo',
      })
      const seen: StreamedEvent[] = []
      const read = async () => {
        for await (const event of client.events({ session: session.session, signal: stop.signal })) {
          seen.push(event)
          if (event.type === 'run-end') return
        }
      }
      await read()
      return { id: session.session, seen }
    }),
  )
  for (const { id, seen } of streams) {
    const { events } = await client.listEvents({ session: id, limit: 10_000 })
    const upTo = events.findIndex(({ type }) => type === 'run-end')
    expect(seen.filter((event) => !isDelta(event)).map(keyOf)).toEqual(
      events
        .slice(0, upTo + 1)
        .filter((event) => !isDelta(event))
        .map(keyOf),
    )
  }
})
