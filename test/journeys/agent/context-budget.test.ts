import { expect, onTestFinished, test } from 'vitest'
import { type ModelMessage, openHome } from '../../../src/index.ts'
import { makeGate } from '../../support/agents/gate.ts'
import { openTestHome, type TestHome } from '../../support/agents/open-test-home.ts'
import { call, modelOf, type ScriptedReply } from '../../support/agents/scripted-model.ts'

/** The tokens of the models here. */
const CONTEXT = 6_000
/** About 450 tokens each. */
const LONG = 'words '.repeat(270)

const textsOf = (messages: readonly ModelMessage[] = []) => messages.map(({ content }) => content)

/** A model that gives its replies in turn, and this summary where it is asked for one. */
function withSummary(summary: () => ScriptedReply, reply: (turn: number) => ScriptedReply) {
  let turn = 0
  return modelOf(
    ({ messages }) => (textsOf(messages).at(-1)?.includes('about to outgrow') ? summary() : reply(turn++)),
    {
      context: CONTEXT,
    },
  )
}

/** Sends so many long messages in a session without tools. */
async function chat({ host }: TestHome, model: ReturnType<typeof withSummary>, messages: number) {
  const session = await host.session({ tools: [], mcpServers: [] })
  for (let at = 1; at <= messages; at++) await session.send(`message ${at}: ${LONG}`, { model })
  return session
}

test('a chat without calls is folded too: the system prompt, the first message, the summary and the last four turns stay', async () => {
  const place = await openTestHome()
  const model = withSummary(
    () => ({ text: 'What was said before.' }),
    (turn) => ({ text: `reply ${turn + 1}` }),
  )
  const session = await chat(place, model, 20)
  const sent = model.requests.at(-1)?.messages ?? []
  expect(sent[0]).toMatchObject({ role: 'system' })
  expect(sent[1]?.content).toContain('message 1:')
  expect(sent[2]?.content).toBe('[Summary of the earlier messages]\nWhat was said before.')
  for (const reply of ['reply 19', 'reply 18', 'reply 17', 'reply 16']) expect(textsOf(sent)).toContain(reply)
  expect(textsOf(sent)).not.toContain('reply 2')
  // Right after a fold these four are all that is left of the replies.
  const folded = model.requests.filter(({ messages }) => textsOf(messages)[2]?.startsWith('[Summary'))
  const replies = folded.map(({ messages }) => textsOf(messages).filter((text) => /^reply \d+$/.test(text)).length)
  expect(Math.min(...replies)).toBe(4)
  for (const { messages } of model.requests) expect(textsOf(messages).join('').length / 3.6).toBeLessThan(CONTEXT)
  expect((await session.events()).some(({ type }) => type === 'context-folded')).toBe(true)
})

test('where the model gives no summary, messages are folded by rule, and an earlier summary stays', async () => {
  const place = await openTestHome()
  let asked = 0
  const failing = withSummary(
    () => ({ text: asked++ === 0 ? 'The first summary.' : ' ' }),
    (turn) => ({ text: `reply ${turn + 1}` }),
  )
  await chat(place, failing, 30)
  expect(asked).toBeGreaterThan(1)
  const [, , folded] = textsOf(failing.requests.at(-1)?.messages)
  expect(folded).toMatch(
    /^\[Summary of the earlier messages\]\nThe first summary\.\n\n\[Earlier messages were left out/,
  )
})

test('a session that was folded sends the same history after a restart', async () => {
  const place = await openTestHome()
  const model = withSummary(
    () => ({ text: 'In short.' }),
    (turn) => ({ text: `reply ${turn + 1}` }),
  )
  const { id } = await chat(place, model, 12)
  const before = model.requests.at(-1)?.messages ?? []
  await place.home.close()
  const home = await openHome({ home: place.folder })
  onTestFinished(() => home.close())
  const after = modelOf(() => ({ text: 'ok' }), { context: 100_000 })
  await (await home.session(id)).send('and now?', { model: after })
  expect(before.length).toBeGreaterThan(8)
  expect(after.requests[0]?.messages.slice(0, before.length)).toEqual(before)
})

test('asking for the state of a task again and again is no loop', async () => {
  const gate = makeGate()
  const { host } = await openTestHome({ tools: [gate.tool] })
  const session = await host.session()
  let id = ''
  const model = modelOf(({ messages }, turn) => {
    if (turn === 1) return call('gate', { name: 'x', background: true })
    id ||= /task (\S+?)\./.exec(textsOf(messages).at(-1) ?? '')?.[1] ?? ''
    if (turn === 20) gate.open('x')
    return turn <= 20 ? call('get_background_task', { task_id: id }) : { text: 'It is done.' }
  })
  expect(await session.send('Go', { model })).toMatchObject({ reason: 'reply', steps: 21 })
  expect(textsOf(model.requests.at(-1)?.messages).join()).not.toContain('same calls with the same results')
})

test('a run ends after fifty steps where nobody sets another limit', async () => {
  const { host } = await openTestHome()
  const model = modelOf((_, turn) => call('list_directory', { path: `folder-${turn}` }))
  expect(await (await host.session()).send('Go', { model })).toMatchObject({ reason: 'limit', steps: 50 })
  expect(model.requests).toHaveLength(50)
})
