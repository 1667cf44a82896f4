import { expect, onTestFinished, test } from 'vitest'
import type { Client, FollowClientOptions, StreamedEvent } from '../../../src/client/client.ts'
import { EventHub } from '../../../web/src/api/events.ts'

/** A server whose streams are written by the test; each connection is kept with what it asked for. */
function makeServer() {
  const connections: { readonly asked: FollowClientOptions; send(event: StreamedEvent): void; lose(): void }[] = []
  async function* events(asked: FollowClientOptions = {}): AsyncGenerator<StreamedEvent, undefined> {
    const queue: StreamedEvent[] = []
    let wake = () => {}
    let isOpen = true
    const close = () => {
      isOpen = false
      wake()
    }
    asked.signal?.addEventListener('abort', close)
    connections.push({
      asked,
      lose: close,
      send(event) {
        queue.push(event)
        wake()
      },
    })
    asked.onState?.('open')
    while (isOpen || queue.length > 0) {
      const event = queue.shift()
      if (event) yield event
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }
  return { connections, client: { events } as unknown as Client }
}

/** A tab: what it has seen, by cursor. */
function openTab(client: Client) {
  const hub = new EventHub(client)
  const seen: (number | undefined)[] = []
  hub.on(({ cursor }) => seen.push(cursor))
  onTestFinished(() => hub.close())
  return { hub, seen }
}

const at = (cursor: number): StreamedEvent => ({ type: 'tools-changed', cursor }) as unknown as StreamedEvent

test('the next tab reads on from the last event that the closed one has passed on, also if it has seen none itself', async () => {
  const { client, connections } = makeServer()
  const first = openTab(client)
  await expect.poll(() => connections.length).toBe(1)
  connections[0]?.send(at(7))
  await expect.poll(() => first.seen).toEqual([7])
  const second = openTab(client)
  await expect.poll(() => second.hub.connection).toBe('connected')
  expect(connections).toHaveLength(1)
  first.hub.close()
  await expect.poll(() => connections.length).toBe(2)
  expect(connections[1]?.asked.after).toBe(7)
})

test('a stream that begins again continues after the last event, and an event that comes twice is shown once in every tab', async () => {
  const { client, connections } = makeServer()
  const [first, second] = [openTab(client), openTab(client)]
  await expect.poll(() => connections.length).toBe(1)
  await expect.poll(() => second.hub.connection).toBe('connected')
  connections[0]?.send(at(1))
  connections[0]?.send(at(2))
  await expect.poll(() => second.seen).toEqual([1, 2])
  connections[0]?.lose()
  await expect.poll(() => connections.length).toBe(2)
  expect(connections[1]?.asked.after).toBe(2)
  for (const cursor of [1, 2, 3]) connections[1]?.send(at(cursor))
  await expect.poll(() => second.seen).toEqual([1, 2, 3])
  expect(first.seen).toEqual([1, 2, 3])
})
