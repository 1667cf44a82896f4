import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Event } from '../../../core/session/event.ts'
import { eventText } from './event-text.ts'

const text = fc.oneof(
  fc.constantFrom('effect none', 'rule-1'),
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\n', '\u2028', '\ud800', 'c_1'),
)
const WRITER = 'e_writer_'
const of = { session: text, call: text, id: fc.nat().map((n) => `${WRITER}${n}`), at: fc.nat() }
const opinion = fc.record({
  layer: fc.constant('user' as const),
  rule: text,
  decision: fc.constant('allow' as const),
  reason: text,
})
const events: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ type: fc.constant('call-start' as const), ...of, name: text, arguments: fc.jsonValue() }),
  fc.record({
    type: fc.constant('call-judged' as const),
    ...of,
    decision: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
    rule: text,
    reason: text,
    trace: fc.array(opinion, { maxLength: 3 }),
    mode: fc.constant('ask' as const),
    existence: fc.dictionary(text, fc.constantFrom('file' as const, 'none' as const)),
  }),
  fc.record({
    type: fc.constant('call-judged' as const),
    ...of,
    decision: fc.constant('allow' as const),
    rule: text,
    reason: text,
    trace: fc.constant([]),
    arguments: fc.jsonValue(),
  }),
  fc.record({ type: fc.constant('call-run' as const), ...of, clearedBy: text }),
  fc.record({ type: fc.constant('call-run' as const), ...of, clearedBy: text, arguments: fc.jsonValue() }),
  fc.record({ type: fc.constant('call-delta' as const), ...of, text, offset: fc.nat() }),
  fc.record(
    {
      type: fc.constant('message-delta' as const),
      session: text,
      id: of.id,
      at: of.at,
      text,
      offset: fc.nat(),
      reasoning: fc.constant(true as const),
    },
    { requiredKeys: ['type', 'session', 'id', 'at', 'text', 'offset'] },
  ),
  fc.record({
    type: fc.constant('message' as const),
    session: text,
    id: of.id,
    at: of.at,
    role: fc.constant('assistant' as const),
    content: text,
    wire: fc.jsonValue(),
  }),
  fc.record({ type: fc.constant('call-repaired' as const), ...of, repairs: fc.array(text) }),
  fc.record({ type: fc.constant('task-start' as const), ...of }),
  fc.record({
    type: fc.constant('call-end' as const),
    ...of,
    duration: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    result: fc.record({ ok: fc.constant(true as const), text, data: fc.jsonValue() }),
  }),
)

it('reads back as the event, whatever it holds, without what its row says', () => {
  fc.assert(
    fc.property(events, (event) => {
      const { session: _, ...others } = { ...event, id: event.id.slice(WRITER.length) }
      expect(JSON.parse(eventText(event, WRITER))).toEqual(JSON.parse(JSON.stringify(others)))
    }),
  )
})
