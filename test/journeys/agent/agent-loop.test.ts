import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  type Event,
  type Home,
  type HomeOptions,
  type ModelMessage,
  openHome,
  type Session,
} from '../../../src/index.ts'
import { exampleTools } from '../../support/example-tools.ts'
import { type ScriptedReply, scriptedModel } from '../../support/scripted-model.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function openSession(options: HomeOptions = {}): Promise<{ home: Home; session: Session; events: Event[] }> {
  const home = await openHome({
    home: temporaryFolder(),
    tools: await exampleTools(),
    approver: { ask: async () => ({ approved: true }) },
    ...options,
  })
  onTestFinished(() => home.close())
  const events: Event[] = []
  home.on((event) => events.push(event))
  const session = await (await home.host(temporaryFolder())).session()
  return { home, session, events }
}

const add = (a: number, b: number) => ({ name: 'add_numbers', arguments: { a, b } })
const done = { name: 'task_complete', arguments: { summary: 'All done.' } }

/** The messages that follow the system prompt, in short: role and text. */
const shortOf = (messages: readonly ModelMessage[] = []) =>
  messages.slice(1).map(({ role, content }) => `${role}: ${content}`)

test('S3.1 the loop asks the model, runs its calls, feeds results back, and stops at a reply without calls', async () => {
  const { session } = await openSession()
  const model = scriptedModel([{ text: 'I add.', calls: [add(1, 2), add(3, 4)] }, { text: 'The sums are 3 and 7.' }])
  expect(await session.send('Add them', { model })).toEqual({
    reason: 'reply',
    steps: 2,
    summary: 'The sums are 3 and 7.',
  })
  expect(shortOf(model.requests[1]?.messages)).toEqual([
    'user: Add them',
    'assistant: I add.',
    'tool: {"sum":3}',
    'tool: {"sum":7}',
  ])
  expect(model.requests[0]?.tools.map(({ name }) => name)).toContain('add_numbers')
  expect(model.requests[0]?.messages[0]).toMatchObject({
    role: 'system',
    content: expect.stringContaining(session.workspace),
  })
})

test('S3.4 task_complete ends the run, and later calls of the turn are not run', async () => {
  const { session, events } = await openSession()
  const model = scriptedModel([
    { calls: [add(1, 2), done, { name: 'write_note', arguments: { path: 'x', text: '' } }] },
  ])
  expect(await session.send('Go', { model })).toEqual({ reason: 'complete', steps: 1, summary: 'All done.' })
  expect(events.flatMap((event) => (event.type === 'call-start' ? [event.name] : []))).toEqual([
    'add_numbers',
    'task_complete',
  ])
})

test('a task_complete that is wrong does not end the run', async () => {
  const { session } = await openSession()
  const model = scriptedModel([{ calls: [{ name: 'task_complete', arguments: {} }] }, { calls: [done] }])
  expect(await session.send('Go', { model })).toMatchObject({ reason: 'complete', steps: 2 })
  expect(shortOf(model.requests[1]?.messages).at(-1)).toContain('INVALID_ARGUMENTS')
})

test('S4.7 the step limit ends the run and says so; nothing more is sent', async () => {
  const { session } = await openSession()
  let at = 0
  const model = scriptedModel([() => ({ calls: [add(at++, 1)] })])
  const end = await session.send('Go', { model, maxSteps: 3 })
  expect(end).toMatchObject({ reason: 'limit', steps: 3, summary: expect.stringContaining('cut off after 3 steps') })
  expect(model.requests).toHaveLength(3)
})

test.for([1, 2, 3, 4])('a model that repeats a cycle of %i calls is warned once, then stopped', async (length) => {
  const { session, events } = await openSession()
  let at = 0
  const model = scriptedModel([() => ({ calls: [add(at++ % length, 1)] })])
  expect(await session.send('Go', { model })).toMatchObject({ reason: 'loop', steps: 6 * length })
  expect(
    events.filter((event) => event.type === 'message' && event.content.startsWith('You have made the same calls')),
  ).toHaveLength(1)
})

test('S4.6 denials, blocks, failures and unknown tools are told to the model, and the run goes on', async () => {
  const { session } = await openSession({ approver: { ask: async () => ({ approved: false, reason: 'not today' }) } })
  const calls = [
    { name: 'write_note', arguments: { path: 'a', text: 'b' } },
    { name: 'fail_always' },
    { name: 'no_such_tool' },
    { name: 'shell', arguments: { command: 'rm -rf /' } },
  ]
  const model = scriptedModel([{ calls }, { text: 'Ok.' }])
  expect(await session.send('Go', { model })).toMatchObject({ reason: 'reply', steps: 2 })
  const told = shortOf(model.requests[1]?.messages).slice(-4)
  for (const [index, code] of ['DENIED', 'EXECUTION_ERROR', 'UNKNOWN_TOOL', 'BLOCKED'].entries())
    expect(told[index]).toMatch(new RegExp(`^tool: ${code}: `))
  expect(model.requests[1]?.messages.slice(-4)).toMatchObject([
    { code: 'DENIED' },
    { code: 'EXECUTION_ERROR' },
    { code: 'UNKNOWN_TOOL' },
    { code: 'BLOCKED' },
  ])
  expect(told[0]).toContain('not today')
})

test('a model that fails ends the run with its reason, and the session goes on with the next message', async () => {
  const { session } = await openSession()
  expect(await session.send('Go', { model: scriptedModel([{ error: 'The server closed the connection.' }]) })).toEqual({
    reason: 'failed',
    steps: 0,
    summary: 'The server closed the connection.',
  })
  const model = scriptedModel([{ text: 'Hello.' }])
  expect(await session.send('Again', { model })).toMatchObject({ reason: 'reply' })
  expect(shortOf(model.requests[0]?.messages)).toEqual(['user: Go', 'user: Again'])
})

test('cancelling stops the model and the running call, and the session goes on', async () => {
  const { session } = await openSession()
  const stop = new AbortController()
  const model = scriptedModel([{ calls: [{ name: 'hang' }] }, { text: 'Never.' }])
  const sending = session.send('Go', { model, signal: stop.signal })
  await expect.poll(async () => (await session.events()).some(({ type }) => type === 'call-run')).toBe(true)
  stop.abort()
  expect(await sending).toMatchObject({ reason: 'cancelled', steps: 1 })
  const next = scriptedModel([{ text: 'Hello.' }])
  expect(await session.send('Again', { model: next })).toMatchObject({ reason: 'reply' })
  expect(shortOf(next.requests[0]?.messages)[2]).toMatch(/^tool: CANCELLED: /)
})

test('a run is stopped by an event, and a message sent while it runs is delivered at the next step', async () => {
  const { session } = await openSession()
  const joined: Promise<unknown>[] = []
  const model = scriptedModel([
    async () => {
      joined.push(session.send('One more thing', { model: scriptedModel([{ text: 'unused' }]) }))
      return { calls: [add(1, 1)] }
    },
    { calls: [add(2, 2)] },
    async () => {
      session.stop('a test')
      await new Promise((resolve) => setImmediate(resolve))
      return { calls: [add(3, 3)] }
    },
    { text: 'Never.' },
  ])
  const end = await session.send('Go', { model })
  expect(end.reason).toBe('cancelled')
  expect(await Promise.all(joined)).toMatchObject([{ reason: 'cancelled' }])
  expect(shortOf(model.requests[1]?.messages)).toContain('user: One more thing')
})

test('S0.11 only selected tools reach the model, and only they can be called, whatever it says', async () => {
  const { home } = await openSession()
  const session = await (await home.host(temporaryFolder())).session({ tools: ['add_numbers'] })
  const model = scriptedModel([
    { calls: [{ name: 'read_file', arguments: { path: 'a' } }, add(1, 2)] },
    { text: 'Ok.' },
  ])
  await session.send('Go', { model })
  const offered = model.requests[0]?.tools.map(({ name }) => name) ?? []
  expect(offered).toEqual(expect.arrayContaining(['add_numbers', 'task_complete']))
  expect(offered).not.toContain('read_file')
  expect(shortOf(model.requests[1]?.messages).at(-2)).toMatch(/^tool: UNKNOWN_TOOL: /)
})

test('a resumed session sends the history that the first process sent, with an end for a call that had none', async () => {
  const folder = temporaryFolder()
  const first = await openSession({ home: folder })
  const replies: ScriptedReply[] = [{ text: 'Adding.', reasoning: 'hm', calls: [add(1, 2)] }, { text: 'It is 3.' }]
  await first.session.send('Add', { model: scriptedModel(replies) })
  const again = scriptedModel([{ text: 'Yes.' }])
  await first.session.send('Sure?', { model: again })
  await first.home.close()

  const home = await openHome({ home: folder, tools: await exampleTools() })
  onTestFinished(() => home.close())
  const resumed = scriptedModel([{ text: 'Yes.' }])
  const session = await home.session(first.session.id)
  await session.send('Really?', { model: resumed })
  const before = again.requests[0]?.messages ?? []
  expect(resumed.requests[0]?.messages.slice(0, before.length)).toEqual(before)
  expect(shortOf(resumed.requests[0]?.messages).slice(-2)).toEqual(['assistant: Yes.', 'user: Really?'])
})

test('300 turns fit into a small window: outputs fold, then turns, and call and result stay together', async () => {
  const { session, events } = await openSession()
  writeFileSync(join(session.workspace, 'long.txt'), 'word '.repeat(600))
  const model = scriptedModel(
    [
      (request) => {
        const isSummary = request.tools.length === 0
        if (isSummary) return { text: 'So far: read the file often.' }
        const turn = events.filter(({ type }) => type === 'model-call').length
        if (turn >= 300) return { text: 'Done.' }
        return {
          text: `Turn ${turn}.`,
          calls: [{ name: 'read_file', arguments: { path: 'long.txt', from: 1, to: 1 + (turn % 7) } }],
        }
      },
    ],
    { context: 8_000 },
  )
  const end = await session.send('Read it 300 times', { model, maxSteps: 400 })
  expect(end).toMatchObject({ reason: 'reply', summary: 'Done.' })
  const folded = events.filter(({ type }) => type === 'context-folded')
  expect(folded.length).toBeGreaterThan(3)
  for (const { messages } of model.requests) {
    expect(messages.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThan(8_000 * 3.6)
    for (const [index, message] of messages.entries()) {
      if (message.role !== 'tool') continue
      const owner = messages.slice(0, index).findLast(({ role }) => role === 'assistant')
      expect(owner?.role === 'assistant' && owner.calls?.some(({ call }) => call === message.call)).toBe(true)
    }
    expect(messages[1]).toMatchObject({ role: 'user', content: 'Read it 300 times' })
  }
  const foldedCall = folded.flatMap((event) => (event.type === 'context-folded' ? (event.outputs ?? []) : []))[0]
  const read = await session.call('read_output', { call: foldedCall })
  expect(read.text).toContain('word word')
  expect(readFileSync(join(session.workspace, 'long.txt'), 'utf8').length).toBe(3_000)
}, 60_000)

test('a change of the mode counts from the next step on: in plan nothing is written', async () => {
  const { session } = await openSession()
  const write = (path: string) => ({ name: 'write_file', arguments: { path, content: 'x' } })
  const model = scriptedModel([
    { calls: [write('before.txt')] },
    async () => {
      await session.change({ mode: 'plan' })
      return { calls: [{ name: 'list_directory', arguments: { path: '.' } }] }
    },
    { calls: [write('after.txt')] },
    { text: 'Done.' },
  ])
  await session.send('Go', { model })
  const results = shortOf(model.requests[3]?.messages)
  expect(results.at(-1)).toMatch(/^tool: BLOCKED: /)
  expect(model.requests[2]?.messages[0]).toMatchObject({ content: expect.stringContaining('You are planning') })
})
