import { expect, test } from 'vitest'
import type { Approver, Event, InputQuestion } from '../../../src/index.ts'
import { makeGate } from '../../support/agents/gate.ts'
import { openTestHome } from '../../support/agents/open-test-home.ts'
import { call, resultsIn, scriptedModel } from '../../support/agents/scripted-model.ts'
import { startAgentWorker } from '../../support/agents/start-agent-worker.ts'
import { eventually } from '../../support/processes.ts'

const QUESTION = { question: 'Which?', options: ['a', 'b'] }

/** An approver who approves nothing and answers questions so. */
function answering(input: Required<Approver>['input']): Approver {
  return { name: 'terminal', ask: async () => ({ approved: false }), input }
}

const inputsOf = (events: readonly Event[]) =>
  events.filter(({ type }) => type === 'input-request' || type === 'input-answer')

test('the approver of the caller is asked directly, and the model gets the answer', async () => {
  const asked: InputQuestion[] = []
  const approver = answering(async (question) => {
    asked.push(question)
    return 'b'
  })
  const { host } = await openTestHome()
  const session = await host.session({ approver })
  const model = scriptedModel([call('ask_user', QUESTION), { text: 'thanks' }])
  await session.send('Go', { model })
  expect(asked).toEqual([QUESTION])
  expect(resultsIn(model.requests[1]?.messages ?? [])).toEqual(['b'])
  expect(inputsOf(await session.events())).toMatchObject([QUESTION, { answer: 'b', by: 'terminal' }])
})

test('with nobody there the model is told so, and the log has the question', async () => {
  const { host } = await openTestHome()
  for (const options of [{}, { approver: { ask: async () => ({ approved: true }) as const } }]) {
    const session = await host.session(options)
    expect(await session.call('ask_user', QUESTION)).toMatchObject({
      ok: false,
      code: 'UNAVAILABLE',
      text: expect.stringContaining('there is nobody to ask here'),
    })
    expect(inputsOf(await session.events())).toMatchObject([QUESTION, { answer: null, by: 'nobody' }])
  }
})

test('a question of one process is listed and answered in another; the second answer is a CONFLICT', async () => {
  const place = await openTestHome()
  const { home } = place
  const worker = await startAgentWorker(place)
  const session = await worker.order('ask')
  await eventually(async () => (await home.inputs.list()).length === 1)
  const [open] = await home.inputs.list()
  expect(open).toMatchObject({ ...QUESTION, session })
  const id = open?.input ?? ''
  expect(await home.inputs.answer(id, 'a', 'web')).toEqual({ ok: true })
  expect(await home.inputs.answer(id, 'b', 'terminal')).toMatchObject({ ok: false, code: 'CONFLICT' })
  expect(await worker.next()).toMatchObject({ end: { reason: 'reply', summary: 'a' } })
  expect(await home.inputs.list()).toEqual([])
  expect(await home.inputs.answer(id, 'c')).toMatchObject({ ok: false, code: 'CONFLICT' })
  expect(await home.inputs.answer('i_c_nothing.000000', 'c')).toMatchObject({ ok: false, code: 'FILE_NOT_FOUND' })
})

test('two processes answer at once: one answer counts, and both agree on which', async () => {
  const place = await openTestHome()
  const { home, host } = place
  const worker = await startAgentWorker(place)
  for (let round = 0; round < 20; round++) {
    const session = await host.session({ wait: true })
    const result = session.call('ask_user', QUESTION)
    await eventually(async () => (await home.inputs.list()).length === 1)
    const [open] = await home.inputs.list()
    const id = open?.input ?? ''
    const [here, there] = await Promise.all([
      home.inputs.answer(id, 'here', 'one'),
      worker.order('answer', id, 'there', 'two') as Promise<{ ok: boolean }>,
    ])
    expect([here.ok, there.ok].sort()).toEqual([false, true])
    expect(await result).toMatchObject({ ok: true, text: here.ok ? 'here' : 'there' })
  }
})

test('a call that waits for an answer can be cancelled, and then takes none', async () => {
  const { home, host } = await openTestHome()
  const session = await host.session({ wait: true })
  const stop = new AbortController()
  const result = session.call('ask_user', QUESTION, { signal: stop.signal })
  await eventually(async () => (await home.inputs.list()).length === 1)
  const [open] = await home.inputs.list()
  stop.abort()
  expect(await result).toMatchObject({ ok: false, code: 'CANCELLED' })
  expect(await home.inputs.list()).toEqual([])
  expect(await home.inputs.answer(open?.input ?? '', 'late')).toMatchObject({ ok: false, code: 'CONFLICT' })
})

test('the time that a person takes for the answer does not count as time of the call', async () => {
  const { home, host } = await openTestHome({ tools: [makeGate().tool] })
  const session = await host.session({ wait: true })
  const result = session.call('ask_user', QUESTION, { timeout: 0.01 })
  await eventually(async () => (await home.inputs.list()).length === 1)
  // A longer limit passes meanwhile.
  expect(await host.call('gate', { name: 'x' }, { timeout: 0.1 })).toMatchObject({ code: 'TIMEOUT' })
  const [open] = await home.inputs.list()
  await home.inputs.answer(open?.input ?? '', 'a')
  expect(await result).toMatchObject({ ok: true, text: 'a' })
})

test('an approver that breaks leaves the question to other interfaces, or to nobody', async () => {
  const { home, host } = await openTestHome()
  const approver = answering(() => Promise.reject(new Error('no terminal')))
  const alone = await host.session({ approver })
  expect(await alone.call('ask_user', QUESTION)).toMatchObject({ ok: false, code: 'UNAVAILABLE' })
  const session = await host.session({ approver, wait: true })
  const result = session.call('ask_user', QUESTION)
  await eventually(async () => (await home.inputs.list()).length === 1)
  const [open] = await home.inputs.list()
  await home.inputs.answer(open?.input ?? '', 'from the web', 'web')
  expect(await result).toMatchObject({ ok: true, text: 'from the web' })
})

test('update_todos replaces the list that every front end draws', async () => {
  const { host } = await openTestHome()
  const session = await host.session()
  const items = [
    { text: 'read', state: 'done' },
    { text: 'write', state: 'active' },
  ]
  expect(await session.call('update_todos', { items })).toMatchObject({ ok: true, text: '1 of 2 done' })
  expect((await session.events()).find(({ type }) => type === 'todos')).toMatchObject({ items })
  const wrong = await session.call('update_todos', { items: [{ text: 'x', state: 'later' }] })
  expect(wrong).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' })
})

test.each([
  { approved: true, mode: 'ask' },
  { approved: false, mode: 'plan' },
])('a plan is shown in full; the answer approved: $approved leaves the session in mode $mode', async (given) => {
  const previews: (string | undefined)[] = []
  const approver: Approver = {
    async ask({ preview }) {
      previews.push(preview?.text)
      return given.approved ? { approved: true } : { approved: false }
    },
  }
  const { home, host } = await openTestHome()
  const session = await host.session({ mode: 'plan', approver })
  const model = scriptedModel([call('propose_plan', { plan: '1. look\n2. write' }), { text: 'ok' }])
  await session.send('Go', { model })
  expect(previews).toEqual(['1. look\n2. write'])
  expect((await home.log.sessions({ session: session.id }))[0]?.mode).toBe(given.mode)
  const systems = model.requests.map(({ messages }) => messages[0]?.content ?? '')
  expect(systems.map((text) => text.includes('You are planning'))).toEqual([true, !given.approved])
})
