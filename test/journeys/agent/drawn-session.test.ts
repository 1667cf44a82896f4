import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawSession } from '../../../src/core/session/draw-session.ts'
import type { SessionView } from '../../../src/core/session/session-view.ts'
import type { Approver, Model } from '../../../src/index.ts'
import { openTestHome } from '../../support/agents/open-test-home.ts'

/** Calls of every fate: read, changed after an approval, denied, failed, repaired, blocked, in the background, answered by the person. */
const CALLS = [
  { name: 'read_file', arguments: { path: 'a.txt' } },
  { name: 'read_file', arguments: { path: 'missing.txt' } },
  { name: 'write_file', arguments: { path: 'a.txt', content: 'changed\n' } },
  { name: 'write_file', arguments: "{'path': 'a.txt', 'content': 'repaired',}" },
  { name: 'shell', arguments: { command: 'echo one; echo two >&2; exit 3' } },
  { name: 'shell', arguments: { command: 'rm -rf /' } },
  { name: 'shell', arguments: { command: 'echo later', background: true } },
  { name: 'no_such_tool', arguments: {} },
  { name: 'ask_user', arguments: { question: 'Which?', options: ['a', 'b'] } },
  { name: 'update_todos', arguments: { items: [{ text: 'one', state: 'active' }] } },
  { name: 'task_complete', arguments: { summary: 'done' } },
] as const

const turn = fc.record({
  reasoning: fc.array(fc.string({ maxLength: 20 }), { maxLength: 3 }),
  text: fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 4 }),
  calls: fc.array(fc.constantFrom(...CALLS), { maxLength: 3 }),
  fails: fc.boolean(),
})
const plan = fc.record({
  messages: fc.array(fc.array(turn, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
  replies: fc.array(fc.constantFrom('yes', 'no', 'edit', 'throw'), { minLength: 1, maxLength: 4 }),
})
type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never

/** A model that streams the turns of one message in pieces; after the last one it says no more. */
function streaming(turns: Plan['messages'][number]): Model {
  let at = 0
  return {
    name: 'random',
    abilities: async () => ({}),
    async *stream() {
      const { reasoning = [], text = [], calls = [], fails = false } = turns[at++] ?? {}
      for (const piece of reasoning) yield { type: 'reasoning', text: piece }
      for (const piece of text) yield { type: 'text', text: piece }
      if (fails && at > 1) throw new Error('the connection was lost')
      const whole = { text: text.join(''), reasoning: reasoning.join('') }
      const usage = { input: 3, output: 2 }
      const finish = calls.length > 0 ? 'calls' : 'stop'
      yield { type: 'reply', reply: { ...whole, calls: [...calls], finish, usage, repairs: [] } }
    },
  }
}

function answering(replies: Plan['replies']): Approver {
  let at = 0
  const next = () => replies[at++ % replies.length]
  return {
    async ask(request) {
      const reply = next()
      if (reply === 'throw') throw new Error('the approver is gone')
      if (reply === 'edit' && request.tool === 'write_file')
        return { approved: true, modifiedArgs: { path: 'a.txt', content: 'edited\n' } }
      return reply === 'no' ? { approved: false, reason: 'not now' } : { approved: true }
    },
    async input() {
      if (next() === 'throw') throw new Error('nobody')
      return 'a'
    },
  }
}

/** What a front end shows of a view. Of a call that has ended it shows the result, not the pieces that came before. */
function shownOf({ streamed: _, items, ...view }: SessionView) {
  return { ...view, items: items.map((item) => (item.kind === 'call' && item.result ? { ...item, output: '' } : item)) }
}

test('a session drawn from its events alone equals what was shown while it ran, whatever happened in it', {
  timeout: 120_000,
}, async () => {
  const { home, host, workspace } = await openTestHome()
  const property = fc.asyncProperty(plan, async ({ messages, replies }) => {
    writeFileSync(join(workspace, 'a.txt'), 'given\n')
    let live = drawSession([])
    let id: string | undefined
    const unfollow = home.on((event) => {
      if (event.type === 'session-start') id ??= event.session
      // Piece by piece, as a front end gets them.
      if (event.session === id) live = drawSession([event], live)
    })
    const session = await host.session({ approver: answering(replies) })
    for (const turns of messages) await session.send('Go on', { model: streaming(turns), maxSteps: 5 })
    await host.tasks.idle()
    unfollow()
    const logged = await session.events()
    const drawn = drawSession(logged.map((event) => ({ ...event, cursor: undefined })))
    expect(shownOf(drawn)).toEqual(shownOf(live))
    expect(live.items.length).toBeGreaterThan(messages.length)
  })
  await fc.assert(property, { numRuns: 100 })
})
