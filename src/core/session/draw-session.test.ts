import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawSession } from './draw-session.ts'
import type { Event } from './event.ts'

const EVENTS: Event[] = (
  [
    { type: 'session-start', workspace: '/w', mode: 'ask', model: 'm', tools: ['shell'] },
    { type: 'message', role: 'user', content: 'Build it' },
    { type: 'run-start', model: 'm', mode: 'ask' },
    { type: 'message-delta', text: 'I wi', offset: 0 },
    { type: 'message-delta', text: 'll', offset: 4 },
    { type: 'message', role: 'assistant', content: 'I will', calls: [{ call: 'c1', name: 'shell', arguments: {} }] },
    { type: 'model-call', step: 1, usage: { input: 10, output: 5 }, ms: 3 },
    { type: 'call-start', call: 'c1', name: 'shell', arguments: { command: 'make' } },
    { type: 'call-repaired', call: 'c1', repairs: ['a quote'] },
    { type: 'call-judged', call: 'c1', decision: 'ask', rule: 'r', reason: 'why', trace: [] },
    {
      type: 'approval-request',
      call: 'c1',
      approval: 'a1',
      tool: 'shell',
      arguments: {},
      effects: ['runs make'],
      rule: 'r',
      reason: 'why',
      unusual: [],
    },
    { type: 'approval-answer', call: 'c1', approval: 'a1', reply: { approved: true }, by: 'terminal' },
    { type: 'call-run', call: 'c1', clearedBy: 'person', arguments: { command: 'make all' } },
    { type: 'call-delta', call: 'c1', text: 'one\n', offset: 0 },
    { type: 'call-delta', call: 'c1', text: 'two\n', offset: 4 },
    { type: 'call-end', call: 'c1', result: { ok: true, text: 'one\ntwo\n', data: null }, duration: 7 },
    { type: 'todos', items: [{ text: 'test it', state: 'open' }] },
    { type: 'session-changed', title: 'A build' },
    { type: 'message-delta', text: 'Do', offset: 0 },
    { type: 'run-end', reason: 'reply', steps: 1 },
  ] as object[]
).map((body, i) => ({ session: 's', ...body, id: `e${i}`, at: i }) as Event)

describe('drawSession', () => {
  it('shows from events alone what a session is: messages, calls, who allowed them, how they ended', () => {
    const view = drawSession(EVENTS)
    expect(view).toMatchObject({
      session: 's',
      workspace: '/w',
      model: 'm',
      mode: 'ask',
      tools: ['shell'],
      title: 'A build',
      isRunning: false,
      ended: 'reply',
      usage: { input: 10, output: 5 },
      todos: [{ text: 'test it', state: 'open' }],
    })
    expect(view.items.map((item) => item.kind)).toEqual(['message', 'note', 'message', 'call', 'message', 'note'])
    expect(view.items[2]).toMatchObject({ content: 'I will', isStreaming: false })
    expect(view.items[3]).toMatchObject({
      name: 'shell',
      arguments: { command: 'make all' },
      state: 'ended',
      decision: 'ask',
      clearedBy: 'person',
      repairs: ['a quote'],
      approvals: [{ approval: 'a1', effects: ['runs make'], answer: { approved: true, by: 'terminal' } }],
      output: 'one\ntwo\n',
      result: { ok: true },
      duration: 7,
    })
    expect(view.items[4]).toMatchObject({ content: 'Do', isStreaming: true })
  })

  it('keeps what the model proposed beside what a person made of it, and adds up tokens and cost', () => {
    const view = drawSession(EVENTS)
    expect(view.items[3]).toMatchObject({ proposed: { command: 'make' }, arguments: { command: 'make all' } })
    expect(view.usage).toEqual({ input: 10, output: 5, context: 10 })
    const reply = (cost: number) =>
      ({
        type: 'model-call',
        session: 's',
        step: 2,
        usage: { input: 20, output: 1, cost },
        ms: 1,
        id: 'x',
        at: 9,
      }) as const
    expect(drawSession([reply(0.5), reply(0.25)], view).usage).toEqual({
      input: 50,
      output: 7,
      context: 20,
      cost: 0.75,
    })
  })

  it('gives the same from parts as from all at once, and changes no view that it gave', () => {
    fc.assert(
      fc.property(fc.nat(EVENTS.length), fc.nat(EVENTS.length), (one, other) => {
        const first = drawSession(EVENTS.slice(0, Math.min(one, other)))
        const kept = structuredClone(first)
        const second = drawSession(EVENTS.slice(Math.min(one, other), Math.max(one, other)), first)
        expect(drawSession(EVENTS.slice(Math.max(one, other)), second)).toEqual(drawSession(EVENTS))
        expect(first).toEqual(kept)
      }),
    )
  })

  it('shows pieces of a stream once, though they come twice or overlap', () => {
    const start = EVENTS.filter(({ type }) => type === 'call-start')
    const piece = (text: string, offset: number): Event =>
      ({
        ...{ type: 'call-delta', session: 's', call: 'c1', text, offset },
        ...{ id: `d${offset}`, at: 0 },
      }) as Event
    const view = drawSession([...start, piece('abc', 0), piece('abc', 0), piece('bcde', 1), piece('f', 5)])
    expect(view.items).toMatchObject([{ output: 'abcdef', state: 'started' }])
  })

  it('goes on where pieces were removed, and knows nothing of calls it did not see begin', () => {
    const without = EVENTS.filter(({ type }) => type !== 'call-delta' && type !== 'message-delta')
    expect(drawSession(without).items).toHaveLength(5)
    expect(drawSession(EVENTS.slice(8)).items.map(({ kind }) => kind)).toEqual(['message', 'note'])
  })
})
