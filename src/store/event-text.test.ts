import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Event } from '../core/event.ts'
import { eventText } from './event-text.ts'

const text = fc.oneof(
  fc.constantFrom('effect none', 'rule-1'),
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\n', '\u2028', '\ud800', 'c_1'),
)
const of = { session: text, call: text, seq: fc.nat(), at: fc.nat() }
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
  fc.record({ type: fc.constant('call-delta' as const), ...of, text }),
  fc.record({ type: fc.constant('call-repaired' as const), ...of, repairs: fc.array(text) }),
  fc.record({ type: fc.constant('task-start' as const), ...of }),
  fc.record({
    type: fc.constant('call-end' as const),
    ...of,
    duration: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    result: fc.record({ ok: fc.constant(true as const), text, data: fc.jsonValue() }),
  }),
)

it('reads back as the event, whatever it holds', () => {
  fc.assert(
    fc.property(events, (event) => {
      const { session: _, ...others } = event
      expect(JSON.parse(eventText(event))).toEqual(JSON.parse(JSON.stringify(others)))
    }),
  )
})
