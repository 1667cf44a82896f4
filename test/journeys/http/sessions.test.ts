import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/example-host.ts'
import { startTestServer, type TestServer } from '../../support/http/test-server.ts'
import { eventually } from '../../support/processes.ts'

/** Waits until a session rests, after a run that ended well when nothing else is said. */
async function rested({ client }: TestServer, id: string, state = 'idle'): Promise<void> {
  await eventually(async () => (await client.getSession({ id })).session.state === state)
}

test('a session begins with its first message, and the server runs the model', async () => {
  const server = await startTestServer()
  const { client, workspace } = server
  writeFileSync(join(workspace, 'plan.md'), '# Plan\n')
  const { session, event } = await client.createSession({
    message: 'read plan.md',
    model: 'demo',
    tools: ['read_file'],
  })
  expect(session).toMatchObject({ workspace, model: 'demo', mode: 'ask' })
  await rested(server, session.session)
  const { events } = await client.listEvents({ session: session.session })
  expect(events.find(({ id }) => id === event)).toMatchObject({
    type: 'message',
    role: 'user',
    content: 'read plan.md',
  })
  expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'reply' })
  expect((await client.listSessions({ workspace })).sessions.map((one) => one.session)).toContain(session.session)
  expect((await client.searchSessions({ q: 'plan.md' })).hits[0]).toMatchObject({
    session: { session: session.session, state: 'idle' },
  })
})

test('a session goes on, changes, and is deleted only while it rests', async () => {
  const server = await startTestServer()
  const { client, workspace } = server
  const { session } = await client.createSession({ message: 'list files', model: 'demo' })
  const id = session.session
  await rested(server, id)
  expect(await client.changeSession({ id, title: 'My title', mode: 'edit' })).toMatchObject({
    session: { title: 'My title', mode: 'edit' },
  })
  await expect(client.changeSession({ id })).rejects.toMatchObject({ status: 400 })
  await expect(client.changeSession({ id, model: 'no-such-model' })).rejects.toMatchObject({ status: 400 })
  writeFileSync(join(workspace, 'old.txt'), 'x')
  await client.changeSession({ id, mode: 'ask' })
  await client.sendMessage({ id, message: 'delete old.txt' })
  await eventually(async () => (await client.getSession({ id })).session.state === 'waiting')
  await expect(client.deleteSession({ id })).rejects.toMatchObject({ status: 409, code: 'CONFLICT' })
  await client.stopSession({ id })
  await rested(server, id, 'stopped')
  expect(existsSync(join(workspace, 'old.txt'))).toBe(true)
  expect((await client.listApprovals()).approvals).toEqual([])
  await client.deleteSession({ id })
  await expect(client.getSession({ id })).rejects.toMatchObject({ status: 404 })
  await expect(client.deleteSession({ id })).rejects.toMatchObject({ status: 404 })
})

test('a session says which tools it has, control tools among them, and can be had without them', async () => {
  const server = await startTestServer()
  const { client } = server
  const begin = async (more: { only?: true }) => {
    const { session } = await client.createSession({ message: 'help', model: 'demo', tools: ['read_file'], ...more })
    await rested(server, session.session)
    const { tools } = await client.listSessionTools({ id: session.session })
    return tools.map(({ name, isControl }) => (isControl ? 'control' : name))
  }
  expect(new Set(await begin({}))).toEqual(new Set(['read_file', 'control']))
  expect(await begin({ only: true })).toEqual(['read_file'])
  await expect(client.createSession({ message: 'help', model: 'demo', only: true })).rejects.toMatchObject({
    status: 400,
  })
})

test('a message that comes while the model works joins the run', async () => {
  const server = await startTestServer()
  const { client, workspace } = server
  writeFileSync(join(workspace, 'a.txt'), 'x')
  const { session } = await client.createSession({ message: 'delete a.txt', model: 'demo' })
  const id = session.session
  await eventually(async () => (await client.getSession({ id })).session.state === 'waiting')
  await client.sendMessage({ id, message: 'list files' })
  const [approval] = (await client.listApprovals()).approvals
  await client.answerApproval({ id: approval?.id ?? '', approved: true })
  await rested(server, id)
  const { events } = await client.listEvents({ session: id })
  expect(events.filter((one) => one.type === 'message' && one.role === 'user')).toHaveLength(2)
  expect(events.some((one) => one.type === 'call-start' && one.name === 'list_directory')).toBe(true)
  expect(existsSync(join(workspace, 'a.txt'))).toBe(false)
})

test('wrong models, tools, workspaces and sessions are refused and leave no session', async () => {
  const { client, home } = await startTestServer()
  const refused = [
    () => client.createSession({ message: 'x', model: 'no-such-model' }),
    () => client.createSession({ message: 'x', model: 'demo', tools: ['no_such_tool'] }),
    () => client.createSession({ message: 'x', model: 'demo', workspace: '/no/such/folder' }),
  ]
  for (const one of refused) await expect(one()).rejects.toMatchObject({ status: 400, code: 'INVALID_ARGUMENTS' })
  for (const one of [
    () => client.getSession({ id: 's_nothing' }),
    () => client.sendMessage({ id: 's_nothing', message: 'x' }),
    () => client.stopSession({ id: 's_nothing' }),
    () => client.forkSession({ id: 's_nothing', event: 'e' }),
    () => client.rewindSession({ id: 's_nothing', event: 'e' }),
  ])
    await expect(one()).rejects.toMatchObject({ status: 404 })
  expect(await home.log.sessions()).toEqual([])
})

test('a session whose workspace is gone goes on with nothing, and the answer says why', async () => {
  const server = await startTestServer()
  const { client } = server
  const folder = temporaryFolder()
  const order = { message: 'list files', model: 'demo', workspace: folder, maxSteps: 1 }
  const { session: id } = (await client.createSession(order)).session
  await rested(server, id, 'cut-off')
  rmSync(folder, { recursive: true })
  for (const one of [() => client.resumeSession({ id }), () => client.sendMessage({ id, message: 'x' })])
    await expect(one()).rejects.toMatchObject({
      ...{ status: 409, code: 'CONFLICT' },
      message: expect.stringContaining('cannot be opened'),
    })
})

test('a fork is a copy up to an event', async () => {
  const server = await startTestServer()
  const { client } = server
  const { session } = await client.createSession({ message: 'list files', model: 'demo' })
  await rested(server, session.session)
  const sent = await client.sendMessage({ id: session.session, message: 'find *.md' })
  await rested(server, session.session)
  const fork = await client.forkSession({ id: session.session, event: sent.event, before: true })
  const { events } = await client.listEvents({ session: fork.session.session })
  expect(JSON.stringify(events)).toContain('list files')
  expect(JSON.stringify(events)).not.toContain('find *.md')
  expect(events[0]).toMatchObject({ type: 'session-start', forkedFrom: session.session })
})

test('a rewind restores the files and goes on from before the message', async () => {
  const server = await startTestServer()
  const { client, workspace } = server
  const { session } = await client.createSession({ message: 'write one.txt with "1"', model: 'demo' })
  const id = session.session
  await rested(server, id)
  const second = await client.sendMessage({ id, message: 'write two.txt with "2"' })
  await rested(server, id)
  const third = await client.sendMessage({ id, message: 'write three.txt with "3"' })
  await rested(server, id)
  const shown = await client.rewindSession({ id, event: second.event, dryRun: true })
  expect(shown).toMatchObject({
    calls: [expect.any(String), expect.any(String)],
    preview: expect.stringContaining('two.txt'),
  })
  expect(shown).not.toHaveProperty('session')
  expect(existsSync(join(workspace, 'three.txt'))).toBe(true)
  const rewound = await client.rewindSession({ id, event: second.event })
  expect(rewound).toMatchObject({ result: { ok: true }, session: { workspace } })
  expect(['one.txt', 'two.txt', 'three.txt'].map((name) => existsSync(join(workspace, name)))).toEqual([
    true,
    false,
    false,
  ])
  const { events } = await client.listEvents({ session: rewound.session?.session ?? '' })
  expect(JSON.stringify(events)).toContain('one.txt')
  expect(JSON.stringify(events)).not.toContain('two.txt')
  // What is undone already is not undone again, and the session itself is still there.
  expect(await client.rewindSession({ id, event: third.event })).toMatchObject({ calls: [] })
  expect((await client.listEvents({ session: id })).events.length).toBeGreaterThan(events.length)
  await expect(client.rewindSession({ id, event: events[0]?.id ?? '' })).rejects.toMatchObject({ status: 404 })
})

test('a rewind changes nothing where a file was changed since', async () => {
  const server = await startTestServer()
  const { client, workspace } = server
  const { session, event } = await client.createSession({ message: 'write one.txt with "1"', model: 'demo' })
  await rested(server, session.session)
  writeFileSync(join(workspace, 'one.txt'), 'mine\n')
  const rewound = await client.rewindSession({ id: session.session, event })
  expect(rewound).toMatchObject({ result: { ok: false, code: 'CONFLICT' } })
  expect(rewound).not.toHaveProperty('session')
  expect(readFileSync(join(workspace, 'one.txt'), 'utf8')).toBe('mine\n')
})

test('a question of a tool is answered in words, once', async () => {
  const server = await startTestServer()
  const { client } = server
  const { session } = await client.createSession({ message: 'ask me which file to read', model: 'demo' })
  await eventually(async () => (await client.listInputs()).inputs.length === 1)
  const [input] = (await client.listInputs()).inputs
  expect((await client.getSession({ id: session.session })).session.state).toBe('waiting')
  await client.answerInput({ id: input?.input ?? '', answer: 'plan.md' })
  await expect(client.answerInput({ id: input?.input ?? '', answer: 'x' })).rejects.toMatchObject({ status: 409 })
  await expect(client.answerInput({ id: 'i_nothing.1', answer: 'x' })).rejects.toMatchObject({ status: 404 })
  await rested(server, session.session)
  expect((await client.listInputs()).inputs).toEqual([])
})
