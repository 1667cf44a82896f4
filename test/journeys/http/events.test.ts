import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { type Client, createClient, drawSession, type StreamedEvent } from '../../../src/client/client.ts'
import { isDelta } from '../../../src/core/session/event.ts'
import { defineTool, objectSchema } from '../../../src/index.ts'
import { openSqliteStorage } from '../../../src/store/sqlite/open-storage.ts'
import { startTestServer, type TestServer } from '../../support/http/test-server.ts'
import { eventually } from '../../support/processes.ts'

/** Collects the events that a client follows, until the test ends. */
function follow(
  client: Client,
  options: Parameters<Client['events']>[0] = {},
): { seen: StreamedEvent[]; states: string[]; stop(): void } {
  const stop = new AbortController()
  const seen: StreamedEvent[] = []
  const states: string[] = []
  const run = async () => {
    for await (const event of client.events({
      ...options,
      signal: stop.signal,
      onState: (state) => states.push(state),
    }))
      seen.push(event)
  }
  run().catch((thrown) => states.push(String(thrown)))
  onTestFinished(() => stop.abort())
  return { seen, states, stop: () => stop.abort() }
}

const settled = (events: readonly StreamedEvent[]) =>
  events.filter((event) => !isDelta(event)).map(({ id, cursor }) => `${cursor} ${id}`)

async function finish({ client }: TestServer, id: string): Promise<string[]> {
  await eventually(async () => (await client.getSession({ id })).session.state === 'idle')
  return settled((await client.listEvents({ session: id, limit: 10_000 })).events)
}

test('a stream of a session starts at its first event and follows it live; what is drawn from it is the session', async () => {
  const server = await startTestServer()
  const { session } = await server.client.createSession({ message: 'run seq 1 40', model: 'demo' })
  const { seen, states } = follow(server.client, { session: session.session })
  const all = await finish(server, session.session)
  await eventually(() => settled(seen).length === all.length)
  expect(settled(seen)).toEqual(all)
  expect(states.slice(0, 2)).toEqual(['open', 'caught-up'])
  const view = drawSession(seen)
  const logged = drawSession((await server.client.listEvents({ session: session.session, limit: 10_000 })).events)
  expect(view).toEqual(logged)
})

test('pieces of text come at once, in order, after the event that begins their stream, and none twice', async () => {
  const server = await startTestServer()
  const { seen } = follow(server.client, { sessions: [] })
  const { session } = await server.client.createSession({
    message: 'run for i in 1 2 3; do echo line $i; sleep 0.2; done',
    model: 'demo',
  })
  const one = follow(server.client, { session: session.session })
  await finish(server, session.session)
  await eventually(() => one.seen.some(({ type }) => type === 'run-end') && seen.some(({ type }) => type === 'run-end'))
  let output = ''
  let isRunning = false
  for (const event of one.seen) {
    if (event.type === 'call-run') isRunning = true
    if (event.type === 'call-end') isRunning = false
    if (event.type !== 'call-delta') continue
    expect(isRunning).toBe(true)
    expect(event.offset).toBe(output.length)
    output += event.text
  }
  expect(output).toBe('line 1\nline 2\nline 3\n')
  // The stream of all sessions carries no pieces of sessions that were not named.
  expect(seen.filter(isDelta)).toEqual([])
  expect(seen.some((event) => event.session === session.session && event.type === 'call-end')).toBe(true)
})

test('a reader that comes back goes on after the last event that it had', async () => {
  const server = await startTestServer()
  const { session } = await server.client.createSession({ message: 'list files', model: 'demo' })
  const all = await finish(server, session.session)
  for (const at of [0, 3, all.length - 1]) {
    const after = Number(all[at]?.split(' ')[0])
    const { seen, states } = follow(server.client, { session: session.session, after })
    await eventually(() => states.includes('caught-up'))
    expect(settled(seen)).toEqual(all.slice(at + 1))
  }
})

test('Last-Event-ID counts: the server sends only what came after it', async () => {
  const server = await startTestServer()
  const { session } = await server.client.createSession({ message: 'list files', model: 'demo' })
  const all = (await finish(server, session.session)).map((one) => Number(one.split(' ')[0]))
  const after = all.at(-3) ?? 0
  for (const path of [`/api/sessions/${session.session}/events`, '/api/events']) {
    const headers = { Authorization: `Bearer ${server.token}`, 'Last-Event-ID': String(after) }
    const response = await fetch(`${server.url}${path}`, { headers })
    let text = ''
    for await (const piece of response.body ?? []) {
      text += new TextDecoder().decode(piece)
      if (text.includes('caught-up')) break
    }
    const ids = [...text.matchAll(/^id: (\d+)\ndata/gm)].map(([, id]) => Number(id))
    expect(ids).toEqual(all.slice(-2))
  }
})

test('events of other processes on the same home arrive as well', async () => {
  const server = await startTestServer()
  const { seen, states } = follow(server.client)
  await eventually(() => states.includes('caught-up'))
  const other = openSqliteStorage({ path: `${server.folder}/log.db` })
  onTestFinished(() => other.close())
  for (let call = 0; call < 50; call++)
    other.log.append({ type: 'task-cancel', session: 'elsewhere', call: `c${call}` })
  await other.log.flush()
  await eventually(() => seen.length >= 50)
  expect(seen.map((event) => ('call' in event ? event.call : ''))).toEqual(
    Array.from({ length: 50 }, (_, call) => `c${call}`),
  )
})

test('a slow reader costs no memory, is dropped in the end, and loses nothing when it comes back', {
  timeout: 60_000,
}, async () => {
  const server = await startTestServer()
  const { home, folder, port, token, client } = server
  const slow = await openSlowReader(port, token)
  const other = openSqliteStorage({ path: `${folder}/log.db` })
  onTestFinished(() => other.close())
  const text = 'x'.repeat(20_000)
  const before = memoryInUse()
  for (let round = 0; round < 100; round++) {
    for (let i = 0; i < 20; i++)
      other.log.append({ type: 'message', session: 'long', role: 'user', content: `${round} ${i} ${text}` })
    await other.log.flush()
  }
  const quick = follow(client, { session: 'long' })
  await eventually(() => quick.seen.length === 2_000)
  // 40 MB were written to the log; what waits for the slow reader is a small part of that.
  const grown = memoryInUse() - before - JSON.stringify(quick.seen).length * 2
  expect(grown).toBeLessThan(60_000_000)
  const had = slow.cursor()
  slow.socket.destroy()
  const again = follow(client, { after: had })
  await eventually(() => again.seen.length > 0 && again.states.includes('caught-up'))
  const expected = (await home.log.read({ after: had })).map(({ id }) => id)
  await eventually(() => again.seen.length >= expected.length)
  expect(again.seen.map(({ id }) => id)).toEqual(expected)
})

/** Bytes in use, once what nobody uses any more is collected. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

interface SlowReader {
  readonly socket: Socket
  /** The last cursor that it has read. */
  cursor(): number
}

/** Opens the stream of all events, reads its start and then no more. */
function openSlowReader(port: number, token: string): Promise<SlowReader> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let received = ''
    onTestFinished(() => void socket.destroy())
    socket.on('connect', () =>
      socket.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`),
    )
    socket.setEncoding('utf8').on('data', (piece: string) => {
      received += piece
      if (!received.includes('caught-up')) return
      socket.pause()
      resolve({ socket, cursor: () => Number([...received.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1]) })
    })
  })
}

test('a client survives the end of its server and goes on with the next one at the same address', {
  timeout: 60_000,
}, async () => {
  const first = await startTestServer()
  const { folder, workspace, token } = first
  let url = first.url
  const client = createClient({
    url: 'http://haft',
    token,
    fetch: (path, init) => fetch(String(path).replace('http://haft', url), init),
  })
  const { seen, states } = follow(client)
  await eventually(() => states.includes('caught-up'))
  await first.client.callTool({ name: 'add_numbers', arguments: { a: 1, b: 2 } })
  await first.server.close()
  await eventually(() => states.includes('lost'))
  await first.home.host(workspace).then((host) => host.call('add_numbers', { a: 2, b: 3 }))
  const second = await startTestServer({ folder, workspace })
  url = second.url
  await second.client.callTool({ name: 'add_numbers', arguments: { a: 3, b: 4 } })
  await eventually(() => seen.filter(({ type }) => type === 'call-end').length === 3)
  expect(settled(seen)).toEqual(settled(await second.home.log.read({ after: 0 })).slice(-settled(seen).length))
})

test('heartbeats show that a quiet connection works, and readers are told when the server stops', async () => {
  const { createStreams } = await import('../../../src/server/stream/streams.ts')
  const { home, workspace } = await startTestServer()
  await home.host(workspace)
  const streams = createStreams(home, 30)
  const { createServer } = await import('node:http')
  const server = createServer((_, outgoing) =>
    streams.add(outgoing, { session: undefined, detailed: new Set(), after: 0 }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const response = await fetch(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`)
  let text = ''
  const reading = (async () => {
    for await (const piece of response.body ?? []) text += new TextDecoder().decode(piece)
  })()
  await eventually(() => text.split(': still here').length > 3)
  expect(streams.size).toBe(1)
  streams.stop()
  await reading
  expect(text.endsWith('event: stop\ndata: {}\n\n')).toBe(true)
  expect(streams.size).toBe(0)
})

test('a session that does not exist, or a wrong Last-Event-ID, is refused', async () => {
  const { client, url, token } = await startTestServer()
  await expect(client.events({ session: 's_nothing' }).next()).rejects.toMatchObject({ status: 404 })
  const headers = { Authorization: `Bearer ${token}`, 'Last-Event-ID': 'x' }
  expect((await fetch(`${url}/api/events`, { headers })).status).toBe(400)
})

test('a reader that takes nothing is dropped', async () => {
  const { createStreams } = await import('../../../src/server/stream/streams.ts')
  const { createServer } = await import('node:http')
  const { home, folder } = await startTestServer()
  const streams = createStreams(home, 200)
  onTestFinished(() => streams.stop())
  const server = createServer((_, outgoing) =>
    streams.add(outgoing, { session: undefined, detailed: new Set(), after: 0 }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const { socket } = await openSlowReader(typeof address === 'object' ? (address?.port ?? 0) : 0, 'none')
  expect(streams.size).toBe(1)
  const other = openSqliteStorage({ path: `${folder}/log.db` })
  onTestFinished(() => other.close())
  const content = 'x'.repeat(50_000)
  for (let at = 0; at < 400; at++) other.log.append({ type: 'message', session: 'long', role: 'user', content })
  await other.log.flush()
  await eventually(() => streams.size === 0)
  socket.destroy()
})

test('a piece of text comes after the start of its call, and not again after its end', async () => {
  const say = defineTool({
    name: 'say',
    description: 'Print a word and end.',
    input: objectSchema({}),
    effect: 'none',
    execute: (_, { delta }) => {
      delta('hello')
      return 'done'
    },
  })
  const server = await startTestServer({ tools: [say] })
  const { url, token, home, workspace } = server
  const response = await fetch(`${url}/api/events?sessions=quick`, { headers: { Authorization: `Bearer ${token}` } })
  let text = ''
  const reading = (async () => {
    for await (const piece of response.body ?? []) text += new TextDecoder().decode(piece)
  })().catch(() => undefined)
  await eventually(() => text.includes('caught-up'))
  const host = await home.host(workspace)
  // Starts, prints and ends within one commit.
  for (let at = 0; at < 5; at++) await host.call('say', {}, { session: 'quick' })
  await eventually(() => text.split('"type":"call-end"').length > 5)
  await host.call('say', {}, { session: 'quick' })
  await eventually(() => text.split('"type":"call-end"').length > 6)
  const started = new Set<string>()
  const ended = new Set<string>()
  for (const [, data = ''] of text.matchAll(/^data: (\{"type".*)$/gm)) {
    const event: StreamedEvent = JSON.parse(data)
    if (event.type === 'call-start') started.add(event.call)
    if (event.type === 'call-delta') expect(started.has(event.call), data).toBe(true)
    if (event.type === 'call-end') ended.add(event.call)
    if (event.type === 'call-delta') expect(ended.has(event.call), data).toBe(false)
  }
  expect(text).toContain('call-delta')
  await server.server.close()
  await reading
})
