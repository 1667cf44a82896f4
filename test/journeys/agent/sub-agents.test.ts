import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ApprovalRequest } from '../../../src/index.ts'
import { makeGate } from '../../support/agents/gate.ts'
import { openTestHome } from '../../support/agents/open-test-home.ts'
import { call, modelOf, resultsIn, taskOf } from '../../support/agents/scripted-model.ts'
import { eventually } from '../../support/processes.ts'

const spawn = (task: string, more: object = {}) => ({ name: 'spawn_agent', arguments: { task, ...more } })

test('an agent reports to the session that started it, and its own session names that one', async () => {
  const { home, host } = await openTestHome()
  const model = modelOf((request, turn) => {
    if (taskOf(request) === 'count the files') return call('task_complete', { summary: 'There are 3 files.' })
    return turn === 1 ? { calls: [spawn('count the files')] } : { text: `It says: ${resultsIn(request.messages)[0]}` }
  })
  const session = await host.session({ mode: 'edit' })
  expect(await session.send('Ask somebody', { model })).toMatchObject({
    reason: 'reply',
    summary: 'It says: There are 3 files.',
  })
  const [child] = await home.log.sessions({ parent: session.id })
  expect(child).toMatchObject({ title: 'count the files', mode: 'edit', parent: session.id })
})

test('an agent cannot call what the session that started it cannot, whatever either of them names', async () => {
  const { host, workspace } = await openTestHome()
  writeFileSync(join(workspace, 'a.txt'), 'hello')
  const model = modelOf((request) => {
    const results = resultsIn(request.messages)
    if (taskOf(request) === 'child') {
      const tries = [call('write_file', { path: 'b.txt', content: 'x' }), call('spawn_agent', { task: 'deeper' })]
      return tries[results.length] ?? { text: results.map((text) => text.split(':')[0]).join() }
    }
    const tries = [spawn('wide', { tools: ['write_file'] }), spawn('child')]
    const next = tries[results.length]
    return next ? { calls: [next] } : { text: results.join('\n') }
  })
  const session = await host.session({ tools: ['read_file', 'spawn_agent'] })
  const { summary = '' } = await session.send('Go', { model })
  expect(summary).toContain('INVALID_ARGUMENTS: You have no tool "write_file"')
  expect(summary).toContain('UNKNOWN_TOOL,UNKNOWN_TOOL')
  const offered = model.requests.find((request) => taskOf(request) === 'child')?.tools.map(({ name }) => name)
  expect(offered).toContain('read_file')
  expect(offered).toContain('task_complete')
  expect(offered).not.toContain('write_file')
  expect(offered).not.toContain('spawn_agent')
})

test('an agent has only the tools that it was given', async () => {
  const { host } = await openTestHome()
  const model = modelOf((request) => {
    const results = resultsIn(request.messages)
    if (taskOf(request) === 'child')
      return results.length === 0 ? call('list_directory', { path: '.' }) : { text: results.join() }
    return results.length === 0 ? { calls: [spawn('child', { tools: ['read_file'] })] } : { text: results.join() }
  })
  const { summary } = await (await host.session()).send('Go', { model })
  expect(summary).toMatch(/^UNKNOWN_TOOL/)
})

test('agents start no agents, also where a session with a parent is begun by a program', async () => {
  const { host } = await openTestHome()
  const parent = await host.session()
  const child = await host.session({ parent: parent.id })
  expect(await child.call('spawn_agent', { task: 'more' })).toMatchObject({ ok: false, code: 'UNAVAILABLE' })
})

test('five agents work at once; the others wait for their turn', async () => {
  const gate = makeGate()
  const { host } = await openTestHome({ tools: [gate.tool] })
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const model = modelOf((request) => {
    const results = resultsIn(request.messages)
    const task = taskOf(request)
    if (task !== 'Go') return results.length === 0 ? call('gate', { name: task }) : { text: `done ${task}` }
    return results.length === 0 ? { calls: names.map((name) => spawn(name)) } : { text: results.join() }
  })
  const session = await host.session()
  const run = session.send('Go', { model })
  await eventually(() => gate.waiting.size === 5)
  const states = async () => {
    const { data } = (await session.call('list_agents')) as { data: { agents: { state: string }[] } }
    return data.agents.map(({ state }) => state).sort()
  }
  expect(await states()).toEqual([...Array(2).fill('queued'), ...Array(5).fill('running')])
  const [first = ''] = gate.waiting
  gate.open(first)
  await eventually(() => gate.waiting.size === 5)
  expect([...gate.waiting]).not.toContain(first)
  await eventually(async () => {
    for (const name of gate.waiting) gate.open(name)
    return (await states()).every((state) => state === 'ended')
  })
  expect((await run).summary).toBe(names.map((name) => `done ${name}`).join())
})

test('agents stop with the run that started them: those that work, those that wait and those in the background', async () => {
  const gate = makeGate()
  const { home, host } = await openTestHome({ tools: [gate.tool] })
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const model = modelOf((request) => {
    const task = taskOf(request)
    if (task !== 'Go') return call('gate', { name: task })
    const results = resultsIn(request.messages)
    if (results.length === 0) return { calls: [spawn('background', { background: true })] }
    return { calls: names.map((name) => spawn(name)) }
  })
  const session = await host.session()
  const run = session.send('Go', { model })
  await eventually(() => gate.waiting.size === 5)
  session.stop('test')
  expect(await run).toMatchObject({ reason: 'cancelled' })
  await eventually(() => gate.waiting.size === 0)
  const ended = async () => {
    const children = await home.log.sessions({ parent: session.id })
    const events = await Promise.all(children.map(({ session: id }) => home.log.read({ session: id })))
    return events.map((own) => own.find((event) => event.type === 'run-end')?.reason)
  }
  await eventually(async () => (await ended()).every((reason) => reason === 'cancelled'))
  expect(await ended()).toHaveLength(7)
  // The session stays and can go on.
  expect(await session.send('Again', { model: modelOf(() => ({ text: 'here' })) })).toMatchObject({ reason: 'reply' })
})

test('an agent in the background is listed, read with get_agent, and its end is told at the next turn', async () => {
  const gate = makeGate()
  const { host } = await openTestHome({ tools: [gate.tool] })
  const model = modelOf((request) => {
    const results = resultsIn(request.messages)
    if (taskOf(request) === 'later') return results.length === 0 ? call('gate', { name: 'x' }) : { text: 'It is blue.' }
    return results.length === 0 ? { calls: [spawn('later', { background: true })] } : { text: 'started' }
  })
  const session = await host.session()
  expect(await session.send('Go', { model })).toMatchObject({ summary: 'started' })
  await eventually(() => gate.waiting.size === 1)
  const list = (await session.call('list_agents')) as { data: { agents: { agent: string; state: string }[] } }
  const [agent] = list.data.agents
  expect(agent?.state).toBe('running')
  gate.open('x')
  await host.tasks.idle()
  const got = await session.call('get_agent', { agent: agent?.agent })
  expect(got).toMatchObject({ ok: true, data: { state: 'ended', reason: 'reply', summary: 'It is blue.' } })
  const other = await host.session()
  expect(await other.call('get_agent', { agent: agent?.agent })).toMatchObject({ ok: false, code: 'FILE_NOT_FOUND' })
  const next = modelOf(() => ({ text: 'ok' }))
  await session.send('And?', { model: next })
  expect(next.requests[0]?.messages.map(({ content }) => content).join('\n')).toMatch(/Task c_\S+ has ended well/)
})

test('the approval requests of an agent are in the one queue, labelled with what it works on', async () => {
  const { home, host, workspace } = await openTestHome()
  writeFileSync(join(workspace, 'a.txt'), 'old')
  const asked: ApprovalRequest[] = []
  const approver = {
    async ask(request: ApprovalRequest) {
      asked.push(request)
      expect(await home.approvals.list()).toMatchObject([{ request: { label: 'delete the old file' } }])
      return { approved: true } as const
    },
  }
  const model = modelOf((request) => {
    const results = resultsIn(request.messages)
    if (taskOf(request) !== 'Go')
      return results.length === 0 ? call('delete_file', { path: 'a.txt' }) : { text: results.join() }
    return results.length === 0 ? { calls: [spawn('delete the old file')] } : { text: results.join() }
  })
  const session = await host.session({ approver })
  await session.send('Go', { model })
  expect(asked).toMatchObject([{ tool: 'delete_file', label: 'delete the old file' }])
  const [child] = await home.log.sessions({ parent: session.id })
  const events = await home.log.read({ session: child?.session ?? '' })
  expect(events.find(({ type }) => type === 'approval-request')).toMatchObject({ label: 'delete the old file' })
})

test('a model that is not there, and a recording of any path, are refused before an agent begins', async () => {
  const { home, host } = await openTestHome()
  const session = await host.session()
  for (const [model, code] of [
    ['nowhere', 'UNAVAILABLE'],
    ['replay:/etc/hostname', 'INVALID_ARGUMENTS'],
  ])
    expect(await session.call('spawn_agent', { task: 'x', model })).toMatchObject({ ok: false, code })
  expect(await home.log.sessions({ parent: session.id })).toEqual([])
})
