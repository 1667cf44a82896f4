import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { CommittedEvent, Event, Listener } from '../../core/session/event.ts'
import { openHome } from '../../index.ts'
import { EventStream } from './event-stream.ts'
import { createStreams } from './streams.ts'

/** Answers one request with a stream that the test drives; resolves to what the reader has got so far. */
async function readStream(begin: (outgoing: Parameters<typeof makeStream>[0]) => void): Promise<() => string> {
  const server = createServer((_, outgoing) => begin(outgoing))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = new AbortController()
  onTestFinished(() => {
    stop.abort()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/`, { signal: stop.signal })
  let text = ''
  const read = async () => {
    for await (const piece of response.body ?? []) text += new TextDecoder().decode(piece)
  }
  read().catch(() => undefined)
  return () => text
}

const ALL = { session: undefined, detailed: new Set<string>(), after: 5 }
const makeStream = (
  ...[outgoing, source]: [ConstructorParameters<typeof EventStream>[0], ConstructorParameters<typeof EventStream>[2]]
) => new EventStream(outgoing, ALL, source)

function taskCancel(cursor: number): CommittedEvent {
  return { type: 'task-cancel', session: 's', call: `c${cursor}`, id: `e${cursor}`, at: 0, cursor }
}

test('what is committed while a reader catches up is not lost between the log and the live events', async () => {
  let level = 5
  const pages = [Promise.withResolvers<readonly CommittedEvent[]>(), Promise.withResolvers<readonly CommittedEvent[]>()]
  let reads = 0
  let stream: EventStream | undefined
  const text = await readStream((outgoing) => {
    stream = makeStream(outgoing, {
      level: () => level,
      readPage: async () => pages[reads++]?.promise ?? [],
    })
    stream.catchUp()
  })
  // The first page was read just before event 6 was committed and passed to the readers that are live.
  level = 6
  stream?.committed(taskCancel(6), () => 'not live yet')
  pages[0]?.resolve([])
  pages[1]?.resolve([taskCancel(6)])
  await expect.poll(text).toContain('caught-up')
  expect(text()).toContain('id: 6\ndata: {"type":"task-cancel"')
  expect(text()).not.toContain('not live yet')
})

test('a piece of text waits for the event before it to be committed, and an event is sent once', async () => {
  const home = await openHome()
  onTestFinished(() => home.close())
  const listeners = new Set<Listener>()
  const commits: ((event: CommittedEvent) => void)[] = []
  const log = Object.assign(Object.create(home.log), {
    end: async () => 5,
    read: async () => [],
    async *follow() {
      while (true) yield await new Promise<CommittedEvent>((resolve) => commits.push(resolve))
    },
  })
  const on = (listener: Listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const streams = createStreams({ log, on })
  onTestFinished(() => streams.stop())
  const text = await readStream((outgoing) => streams.add(outgoing, { session: 's', detailed: new Set(), after: 5 }))
  await expect.poll(text).toContain('caught-up')
  const run: Event = { type: 'call-run', session: 's', call: 'c', id: 'e6', at: 0, clearedBy: 'x' }
  const say = (event: Event) => {
    for (const listener of listeners) listener(event)
  }
  say(run)
  say({ type: 'call-delta', session: 's', call: 'c', id: 'd1', at: 0, text: 'hello', offset: 0 })
  await expect.poll(() => commits.length).toBe(1)
  expect(text()).not.toContain('hello')
  commits[0]?.({ ...run, cursor: 6 })
  await expect.poll(text).toContain('hello')
  expect(text().indexOf('"call-run"')).toBeLessThan(text().indexOf('hello'))
  await expect.poll(() => commits.length).toBe(2)
  commits[1]?.({ ...run, cursor: 6 })
  await expect.poll(() => commits.length).toBe(3)
  expect(text().split('"call-run"')).toHaveLength(2)
})
