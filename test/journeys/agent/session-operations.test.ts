import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeGate } from '../../support/agents/gate.ts'
import { openTestHome } from '../../support/agents/open-test-home.ts'
import { call, modelOf, resultsIn, scriptedModel } from '../../support/agents/scripted-model.ts'
import { startAgentWorker } from '../../support/agents/start-agent-worker.ts'
import { eventually } from '../../support/processes.ts'

const saying = (text: string) => modelOf(() => ({ text }))

test('a message that is sent during a run reaches the model at its next step', async () => {
  const gate = makeGate()
  const { host } = await openTestHome({ tools: [gate.tool] })
  const session = await host.session()
  const model = scriptedModel([call('gate', { name: 'x' }), { text: 'done' }])
  const run = session.send('Go', { model })
  await eventually(() => gate.waiting.size === 1)
  const second = session.send('Also look at b', { model })
  await eventually(async () =>
    (await session.events()).some((event) => event.type === 'message' && event.content === 'Also look at b'),
  )
  gate.open('x')
  expect(await Promise.all([run, second])).toMatchObject([{ summary: 'done' }, { summary: 'done' }])
  expect(model.requests[1]?.messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
    'Go',
    'Also look at b',
  ])
})

test('a message that comes while the model gives its last reply is answered by the same process', async () => {
  const { host } = await openTestHome()
  const session = await host.session()
  let second: Promise<unknown> | undefined
  const model = modelOf(async ({ messages }) => {
    if (second) return { text: `answer to ${messages.at(-1)?.content}` }
    second = session.send('One more thing', { model })
    await eventually(async () => (await session.events()).filter(({ type }) => type === 'message').length === 3)
    return { text: 'done' }
  })
  await session.send('Go', { model })
  await second
  await eventually(async () => (await session.events()).filter(({ type }) => type === 'run-end').length === 2)
  const said = (await session.events()).flatMap((event) => (event.type === 'run-end' ? [event.summary] : []))
  expect(said).toEqual(['done', 'answer to One more thing'])
  const sent = model.requests
    .at(-1)
    ?.messages.slice(1)
    .map(({ role, content }) => `${role}: ${content}`)
  expect(sent).toEqual(['user: Go', 'assistant: done', 'user: One more thing'])
})

test('two processes on one session: the one that runs it answers the message of the other', async () => {
  const gate = makeGate()
  const place = await openTestHome({ tools: [gate.tool] })
  const session = await place.host.session()
  const worker = await startAgentWorker(place)
  const model = scriptedModel([call('gate', { name: 'x' }), { text: 'both answered' }])
  const run = session.send('Go', { model })
  await eventually(() => gate.waiting.size === 1)
  worker.send('send', session.id, 'from there')
  await eventually(async () =>
    (await session.events()).some((event) => event.type === 'message' && event.content === 'from there'),
  )
  gate.open('x')
  expect(await run).toMatchObject({ summary: 'both answered' })
  expect(await worker.next()).toMatchObject({ reason: 'reply', summary: 'both answered' })
  expect(model.requests).toHaveLength(2)
  // Once nobody runs it, the other process does.
  expect(await worker.order('send', session.id, 'again')).toMatchObject({ summary: 'from the worker' })
})

test('a run is stopped from another process; the session goes on with the next message, here or there', async () => {
  const gate = makeGate()
  const place = await openTestHome({ tools: [gate.tool] })
  const session = await place.host.session()
  const worker = await startAgentWorker(place)
  const run = session.send('Go', { model: modelOf(() => call('gate', { name: 'x' })) })
  await eventually(() => gate.waiting.size === 1)
  expect(await worker.order('stop', session.id)).toBe('asked')
  expect(await run).toMatchObject({ reason: 'cancelled' })
  expect(await worker.order('send', session.id, 'go on')).toMatchObject({ reason: 'reply', summary: 'from the worker' })
  expect(await session.send('and here', { model: saying('here too') })).toMatchObject({ summary: 'here too' })
})

test('model and mode are switched during a run, also by another process, from the next step on', async () => {
  const gate = makeGate()
  const place = await openTestHome({ tools: [gate.tool] })
  const session = await place.host.session({ mode: 'auto' })
  const worker = await startAgentWorker(place)
  const model = scriptedModel([call('gate', { name: 'x' }), call('gate', { name: 'y' })])
  const run = session.send('Go', { model })
  await eventually(() => gate.waiting.has('x'))
  expect(await worker.order('change', session.id, 'plan')).toBe('changed')
  gate.open('x')
  await eventually(() => gate.waiting.has('y'))
  expect(model.requests.map(({ messages }) => messages[0]?.content.includes('You are planning'))).toEqual([false, true])
  await session.change({ model: 'demo' })
  gate.open('y')
  expect(await run).toMatchObject({ reason: 'reply' })
  expect(model.requests).toHaveLength(2)
  const [record] = await place.home.log.sessions({ session: session.id })
  expect(record).toMatchObject({ mode: 'plan', model: 'demo' })
  await expect(session.change({ model: 'nowhere' })).rejects.toThrow('nowhere')
  const next = saying('ok')
  await session.send('Again', { model: next })
  expect(next.requests[0]?.messages[0]?.content).toContain('You are planning')
})

test('a session that is continued keeps its mode when it makes a call', async () => {
  const { home, host } = await openTestHome()
  const session = await host.session({ mode: 'edit' })
  await session.call('list_directory', { path: '.' })
  const again = await home.session(session.id)
  await again.call('list_directory', { path: '.' })
  expect((await home.log.sessions({ session: session.id }))[0]?.mode).toBe('edit')
  expect((await session.events()).filter(({ type }) => type === 'session-start')).toHaveLength(1)
})

test('the first message gives the title, once; a person may change it', async () => {
  const { home, host } = await openTestHome()
  const session = await host.session()
  const title = async () => (await home.log.sessions({ session: session.id }))[0]?.title
  await session.send('\n# Fix the parser\nIt fails on tabs.', { model: saying('ok') })
  expect(await title()).toBe('Fix the parser')
  await session.send('Now the printer', { model: saying('ok') })
  expect(await title()).toBe('Fix the parser')
  await session.change({ title: 'Tabs' })
  expect(await title()).toBe('Tabs')
})

test('a fork has the messages and results up to an event, and goes its own way', async () => {
  const { home, host, workspace } = await openTestHome()
  writeFileSync(join(workspace, 'a.txt'), 'alpha')
  const session = await host.session({ tools: ['read_file'] })
  await session.send('Read a', {
    model: scriptedModel([call('read_file', { path: 'a.txt' }), { text: 'It says alpha.' }]),
  })
  await session.send('Second', { model: saying('two') })
  const events = await session.events()
  const reply = events.find((event) => event.type === 'message' && event.content === 'It says alpha.')
  const fork = await home.fork(session.id, reply?.id ?? '')
  const model = saying('in the fork')
  await fork.send('Third', { model })
  const sent = model.requests[0]?.messages ?? []
  expect(sent.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual(['Read a', 'Third'])
  expect(resultsIn(sent)[0]).toContain('alpha')
  expect(model.requests[0]?.tools.map(({ name }) => name)).not.toContain('write_file')
  expect((await fork.events())[0]).toMatchObject({
    type: 'session-start',
    forkedFrom: session.id,
    tools: ['read_file'],
  })
  expect(await session.events()).toEqual(events)
  const calls = await home.log.calls({ tool: 'read_file' })
  expect(new Set(calls.map((one) => one.call)).size).toBe(2)
  await expect(home.fork(session.id, 'e_nothing')).rejects.toThrow('there is no event')
})

test('a message is edited by a fork before it: the old text is not sent any more', async () => {
  const { home, host } = await openTestHome()
  const session = await host.session()
  await session.send('First', { model: saying('one') })
  await session.send('Secnod', { model: saying('what?') })
  const wrong = (await session.events()).find((event) => event.type === 'message' && event.content === 'Secnod')
  const edited = await home.fork(session.id, wrong?.id ?? '', { before: true })
  const model = saying('two')
  await edited.send('Second', { model })
  expect(model.requests[0]?.messages.slice(1).map(({ content }) => content)).toEqual(['First', 'one', 'Second'])
})

test('a search finds sessions by words of their messages and titles, whatever the case', async () => {
  const { home, host } = await openTestHome()
  const made: string[] = []
  for (const text of ['Fix the Parser, 100% of it', 'Write "quoted" docs', 'Prüfe die Größe']) {
    const session = await host.session()
    made.push(session.id)
    await session.send(text, { model: saying(`I did: nothing yet`) })
  }
  const named = await host.session()
  await named.change({ title: 'Parser of the week' })
  const found = async (text: string) => (await home.search(text)).map(({ session }) => session.session)
  const [parser, docs, size] = made
  expect(await found('parser fix')).toEqual([parser])
  expect(await found('parser')).toEqual([parser, named.id])
  expect(await found('100%')).toEqual([parser])
  expect(await found('100_')).toEqual([])
  expect(await found('"quoted"')).toEqual([docs])
  expect(await found('GRÖSSE')).toEqual([])
  expect(await found('GRÖßE')).toEqual([size])
  expect(await found('nothing')).toEqual([...made].reverse())
  expect(await found('you work in the folder')).toEqual([])
  expect(await found('  ')).toEqual([])
  const [hit] = await home.search('docs')
  expect(hit?.message).toMatchObject({ role: 'user', excerpt: 'Write "quoted" docs' })
})
