import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event, EventBody } from '../../core/session/event.ts'
import { printable } from '../../core/text/printable.ts'
import type { Look } from '../look.ts'
import { liveRows } from './live-rows.ts'
import { SessionFeed } from './session-feed.ts'

const look: Look = { paint: (_, text) => printable(text), columns: 80, rows: 24 }
const tools = { mainOf: () => undefined, endsRun: () => false }
let count = 0
const event = (body: EventBody): Event => ({ ...body, id: `e${count++}`, at: 0 }) as Event
const inCall = { session: 's', call: 'c' }
const start = (call = 'c', name = 'shell') =>
  event({ type: 'call-start', session: 's', call, name, arguments: { command: 'x' } })
const end = (call = 'c', text = 'done') =>
  event({ type: 'call-end', session: 's', call, result: { ok: true, text, data: undefined }, duration: 1 } as EventBody)
const rowsOf = (feed: SessionFeed) => liveRows(feed, [], { look, tools, now: 0 })

test('50 MB of output keep a bounded end, and the live region never outgrows the terminal', () => {
  const feed = new SessionFeed()
  feed.add([start(), event({ type: 'call-run', ...inCall, clearedBy: 'rule' })])
  const text = `${'x'.repeat(99)}\n`.repeat(5_000)
  for (let i = 0; i < 100; i++) feed.add([event({ type: 'call-delta', ...inCall, text, offset: i * text.length })])
  const [item] = feed.live
  expect(item?.kind === 'call' && item.output.length).toBeLessThanOrEqual(100_000)
  expect(rowsOf(feed).length).toBeLessThanOrEqual(look.rows)
})

test('finished items leave in their order, once everything before them is finished', () => {
  const feed = new SessionFeed()
  feed.add([start('a', 'first'), start('b', 'second'), end('b')])
  expect(feed.settle(look, tools)).toEqual([])
  feed.add([end('a')])
  expect(feed.settle(look, tools).map(([row]) => row?.slice(0, 9))).toEqual(['✓ first x', '✓ second '])
  expect(feed.live).toEqual([])
})

test('a background task is written when it starts, lets others pass, and is written again when it ends', () => {
  const feed = new SessionFeed()
  const run = event({ type: 'call-run', ...inCall, clearedBy: 'rule' })
  feed.add([start(), event({ type: 'task-start', ...inCall }), run, start('d', 'other'), end('d')])
  expect(feed.settle(look, tools).map(([row]) => row?.[0])).toEqual(['⚙', '✓'])
  expect(feed.tasks.map(({ call }) => call)).toEqual(['c'])
  feed.add([end()])
  expect(feed.settle(look, tools).map(([row]) => row?.[0])).toEqual(['✓'])
  expect(feed.tasks).toEqual([])
})

test('whatever models and tools write, no row has a control character, also where a model makes up the name of a tool', () => {
  const hostile = fc.string({
    unit: fc.oneof(
      fc.constantFrom('\u001b', '\u0007', '\r', '\u202e', '\u009b', '\n', '\t'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 200,
  })
  fc.assert(
    fc.property(hostile, hostile, (said, printed) => {
      const feed = new SessionFeed()
      feed.add([
        event({ type: 'message-delta', session: 's', text: said, offset: 0 }),
        event({ type: 'call-start', session: 's', call: 'c', name: said, arguments: { command: printed } }),
        event({ type: 'call-delta', ...inCall, text: printed, offset: 0 }),
      ])
      const live = rowsOf(feed)
      feed.add([event({ type: 'message', session: 's', role: 'assistant', content: said }), end('c', printed)])
      for (const row of [...live, ...feed.settle(look, tools).flat()]) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
        expect(row).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
      }
    }),
  )
})

test('what Haft tells the model is not shown as a message of the person', () => {
  const feed = new SessionFeed()
  const content = 'You have made the same calls.'
  feed.add([event({ type: 'message', session: 's', role: 'user', content, isNotice: true })])
  expect(feed.settle(look, tools)).toEqual([['  Haft told the model: You have made the same calls.']])
})
