import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import type { CommittedEvent } from '../../core/session/event.ts'
import { type EventSource, EventStream, frameOf } from './event-stream.ts'

const eventAt = (cursor: number): CommittedEvent => ({
  ...{ type: 'task-cancel', session: 's', call: `c${cursor}`, id: `e${cursor}`, at: 0, cursor },
})

test('an event that is committed while a reader catches up is not lost, though the page that was read does not hold it', async () => {
  const committed = [eventAt(1)]
  let level = 1
  const opened = Promise.withResolvers<EventStream>()
  const source: EventSource = {
    level: () => level,
    async readPage(_, after) {
      const page = committed.filter(({ cursor }) => cursor > after)
      // Another process commits just after the last page was read.
      if (page.length === 0 && level === 1) {
        const late = eventAt(2)
        committed.push(late)
        level = 2
        ;(await opened.promise).committed(late, () => frameOf(late))
      }
      return page
    },
  }
  const server = createServer((_, outgoing) => {
    const stream = new EventStream(outgoing, { session: undefined, detailed: new Set(), after: 0 }, source)
    opened.resolve(stream)
    void stream.catchUp().then(() => stream.stop())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const response = await fetch(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`)
  const ids = [...(await response.text()).matchAll(/^id: (\d+)\ndata/gm)].map(([, id]) => id)
  expect(ids).toEqual(['1', '2'])
})
