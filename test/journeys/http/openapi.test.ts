import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import type { Route } from '../../../src/core/api/route.ts'
import { ROUTES } from '../../../src/core/api/routes.ts'
import { isRecord } from '../../../src/core/text/json.ts'
import { answered } from '../../support/http/checking-fetch.ts'
import { askToWrite, startTestServer } from '../../support/http/test-server.ts'
import { eventually } from '../../support/processes.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const routes = Object.entries<Route>(ROUTES)

test('the OpenAPI document holds every route with its parameters, body and answers, and every schema compiles', async () => {
  const { client } = await startTestServer()
  const document = await client.openApi()
  expect(document).toMatchObject({ openapi: '3.1.0', security: [{ token: [] }] })
  const paths = isRecord(document.paths) ? document.paths : {}
  const ajv = new Ajv2020({ strict: false })
  for (const [name, route] of routes) {
    const path = paths[route.path]
    const operation = isRecord(path) ? path[route.method.toLowerCase()] : undefined
    expect(operation, name).toMatchObject({ operationId: name, summary: route.about, responses: expect.any(Object) })
    const names = [...Object.keys(route.params ?? {}), ...Object.keys(route.query ?? {})]
    expect((operation as { parameters: { name: string }[] }).parameters.map((one) => one.name)).toEqual(names)
    for (const schema of Object.values(route.answers)) expect(() => ajv.compile(schema)).not.toThrow()
  }
  const operations = Object.values(paths).flatMap((one) => (isRecord(one) ? Object.keys(one) : []))
  expect(operations).toHaveLength(routes.length)
})

test('every route names its parameters, shares no name between path, query and body, and says what it does', () => {
  for (const [name, { path, params = {}, query = {}, body = {}, about, method }] of routes) {
    expect(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, one]) => one),
      name,
    ).toEqual(Object.keys(params))
    const members = [params, query, body].flatMap((shape) => Object.keys(shape))
    expect(new Set(members).size, name).toBe(members.length)
    expect(about, name).toMatch(/^[A-Z].*\.$/)
    if (method === 'GET') expect(Object.keys(body), name).toEqual([])
  }
  const places = routes.map(([, { method, path }]) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
  expect(new Set(places).size).toBe(places.length)
})

const root = join(import.meta.dirname, '../../..')

/** Routes whose answer needs what this test does not have: a language model, or a command whose changes conflict. */
const ELSEWHERE = [
  'offeredModels 200',
  'testModel 200',
  'applyTask 200',
  'discardTask 200',
  'getPending 200',
  'listModels 200',
]

test('every route answers what it declares, with every status', { timeout: 60_000 }, async () => {
  const server = await startTestServer()
  const { client, workspace } = server
  const until = (condition: () => Promise<boolean>) => eventually(condition)
  await Promise.all([
    client.health(),
    client.listTools(),
    client.refreshTools(),
    client.getTool({ name: 'shell' }),
    client.openApi(),
  ])
  await Promise.all([
    client.listSessions(),
    client.listFolders(),
    client.findFiles({ q: 'a' }),
    client.listWorkspaces(),
    client.getSettings(),
    client.listSettings(),
    client.doctor(),
  ])
  const tools = temporaryFolder()
  await client.addToolFolder({ path: tools })
  await client.listToolFolders()
  await client.removeToolFolder({ path: tools })
  await client.explainTool({ name: 'shell' })
  const everything = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')
  await client.addMcpServer({ name: 'everything', command: process.execPath, args: [everything, 'stdio'] })
  await client.listMcpServers()
  await client.testMcpServer({ name: 'everything' })
  await client.removeMcpServer({ name: 'everything' })
  await client.makeLink().then(({ link }) => client.signIn({ code: link.split('#code=')[1] ?? '' }))
  await client.checkTool({ name: 'shell', arguments: { command: 'touch a' }, dryRun: true })
  const plan = { goal: 'Look.', model: 'demo', jobs: [{ id: 'look', prompt: 'list files' }] }
  await client.checkPlan({ plan })
  const started = await client.startPlan({ plan, manual: true })
  const { id: planId } = started.plan
  await until(async () => (await client.getPlan({ id: planId })).plan.state === 'paused')
  await client.actOnPlan({ id: planId, action: 'resume' })
  await client.listPlans()
  const { call, approval } = await askToWrite(server)
  await client.getCall({ id: call })
  await client.checkApproval({ id: approval.id, modifiedArgs: {} })
  await client.dryRunApproval({ id: approval.id })
  await client.listApprovals()
  await client.answerApproval({ id: approval.id, approved: true, grant: { scope: 'exact' } })
  await until(async () => 'ok' in (await client.getCall({ id: call })))
  const [grant] = (await client.listGrants()).grants
  await client.revokeGrant({ id: grant?.id ?? '' })
  await client.callTool({ name: 'shell', arguments: { command: 'seq 1 5000' } })
  const [long] = (await client.listCalls({ tool: 'shell', outcome: 'ok', decision: 'allow', limit: 1 })).calls
  await client.readOutput({ id: long?.call ?? '' })
  await client.undo()
  const { session, event } = await client.createSession({ message: 'ask me which file to read', model: 'demo' })
  const id = session.session
  await until(async () => (await client.listInputs()).inputs.length === 1)
  const [input] = (await client.listInputs()).inputs
  await client.answerInput({ id: input?.input ?? '', answer: 'plan.md' })
  await until(async () => (await client.getSession({ id })).session.state === 'idle')
  await client.sendMessage({ id, message: 'list files' })
  await client.stopSession({ id })
  await until(async () => (await client.getSession({ id })).session.state !== 'running')
  await client.sendMessage({ id, message: 'list files', maxSteps: 1 })
  await until(async () => (await client.getSession({ id })).session.state === 'cut-off')
  await client.resumeSession({ id })
  await client.listSessionTools({ id })
  await until(async () => (await client.getSession({ id })).session.state === 'idle')
  await client.changeSession({ id, title: 'Changed' })
  await client.searchSessions({ q: 'list' })
  await client.listEvents({ session: id })
  await client.forkSession({ id, event })
  await client.rewindSession({ id, event })
  await client.deleteSession({ id })
  await client.callTool({ name: 'shell', arguments: { command: 'sleep 60', background: true } })
  await until(async () => (await client.listTasks()).tasks.length === 1)
  const [task] = (await client.listTasks()).tasks
  await client.getTask({ id: task?.task ?? '' })
  await client.cancelTask({ id: task?.task ?? '' })
  const slow = await client.callTool({ name: 'shell', arguments: { command: 'sleep 60' }, detached: true })
  const moved = 'call' in slow ? slow.call : ''
  await until(async () => (await client.listCalls({ limit: 1 })).calls[0]?.ran === true)
  await client.moveCall({ id: moved })
  await client.cancelCall({ id: moved })
  await client.addRule({ name: 'no notes', decision: 'deny', writes: ['notes/**'] })
  await client.listRules({ mode: 'edit' })
  await client.replayRules()
  await client.removeRule({ name: 'no notes' })
  await client.addModel({
    name: 'mine',
    settings: { provider: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:9/v1' },
    key: 'k',
  })
  await client.removeModel({ name: 'mine' })
  await answerDelegate(server)
  const project = temporaryFolder()
  mkdirSync(join(project, '.haft'))
  writeFileSync(join(project, '.haft/settings.toml'), 'mode = "plan"\n')
  const { digest } = await client.getTrust({ workspace: project })
  await client.trustProject({ workspace: project, digest: digest ?? '' })
  expect((await client.listRules({ workspace: project })).mode).toBe('plan')
  const declared = routes
    .filter(([, { isStream }]) => !isStream)
    .flatMap(([name, { answers }]) => Object.keys(answers).map((status) => `${name} ${status}`))
  expect(declared.filter((one) => !answered.has(one) && !ELSEWHERE.includes(one))).toEqual([])
  expect(server.faults).toEqual([])
  expect(workspace).not.toBe(project)
})

/** Lets a tool ask the app to open a file, while a page is open that can answer. */
async function answerDelegate({ client, workspace }: Awaited<ReturnType<typeof startTestServer>>): Promise<void> {
  const stop = new AbortController()
  const events = client.events({ signal: stop.signal })
  const next = events.next()
  writeFileSync(join(workspace, 'shown.md'), 'x')
  const calling = client.callTool({ name: 'open_file', arguments: { path: 'shown.md' } })
  const asked = await calling
  await next
  if ('approval' in asked && asked.approval) await client.answerApproval({ id: asked.approval.id, approved: true })
  await eventually(async () => (await client.listDelegates()).delegates.length === 1)
  const [delegate] = (await client.listDelegates()).delegates
  await client.answerDelegate({ id: delegate?.delegate ?? '', done: true, text: 'shown' })
  await expect(client.answerDelegate({ id: delegate?.delegate ?? '', done: true })).rejects.toMatchObject({
    status: 409,
  })
  stop.abort()
}

test('a model server that does not answer is no fault of Haft', async () => {
  const { client, faults } = await startTestServer()
  await expect(client.offeredModels({ provider: 'openai', baseUrl: 'http://127.0.0.1:9/v1' })).rejects.toMatchObject({
    status: 424,
    code: 'UNAVAILABLE',
  })
  await expect(client.testModel({ name: 'no-such-model' })).rejects.toMatchObject({ status: 424 })
  await expect(client.applyTask({ id: 'c_nothing' })).rejects.toMatchObject({ status: 404 })
  await expect(client.discardTask({ id: 'c_nothing' })).rejects.toMatchObject({ status: 404 })
  expect(faults).toEqual([])
})

test('settings are shown without secrets, and what a page adds never goes into settings.toml', async () => {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, 'settings.toml'),
    '[models.work]\nprovider = "openai"\nmodel = "m"\nbase_url = "http://me:hunter22@127.0.0.1:9/v1?key=abc"\n[models.work.headers]\nX-Key = "very-secret"\n',
  )
  const { client } = await startTestServer({ folder })
  await client.addModel({
    name: 'added',
    settings: { provider: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:9/v1' },
    key: 'sk-key-of-mine',
  })
  const settings = JSON.stringify(await client.getSettings())
  expect(settings).toContain('X-Key')
  for (const secret of ['very-secret', 'hunter22', 'key=abc', 'sk-key-of-mine']) expect(settings).not.toContain(secret)
  await expect(client.addModel({ name: 'work', settings: { provider: 'openai', model: 'm' } })).rejects.toMatchObject({
    status: 400,
  })
  await expect(client.removeModel({ name: 'work' })).rejects.toMatchObject({ status: 404 })
})

test('a rule that a page adds counts at once and after a restart, until it is removed', async () => {
  const first = await startTestServer()
  const write = { name: 'write_file', arguments: { path: 'notes/a.md', content: 'x' } }
  expect(await first.client.checkTool(write)).toMatchObject({ decision: 'allow' })
  await first.client.addRule({
    name: 'no notes',
    decision: 'deny',
    reason: 'notes are mine',
    writes: ['notes/**'],
    effects: ['write'],
  })
  expect(await first.client.checkTool(write)).toMatchObject({ decision: 'deny', rule: 'no notes' })
  await expect(first.client.addRule({ name: 'no notes', decision: 'allow' })).rejects.toMatchObject({ status: 409 })
  await expect(first.client.addRule({ name: 'broken', decision: 'deny', commands: ['('] })).rejects.toMatchObject({
    status: 400,
  })
  const second = await startTestServer({ folder: first.folder })
  expect(await second.client.checkTool(write)).toMatchObject({ decision: 'deny', rule: 'no notes' })
  expect((await second.client.listRules()).rules.find(({ rule }) => rule.name === 'no notes')).toMatchObject({
    isManaged: true,
    layer: 'user',
  })
  await second.client.removeRule({ name: 'no notes' })
  expect(await second.client.checkTool(write)).toMatchObject({ decision: 'allow' })
  await expect(second.client.removeRule({ name: 'no notes' })).rejects.toMatchObject({ status: 404 })
})

test('trust is given to the content that was shown, and not to what replaced it', async () => {
  const { client, workspace } = await startTestServer()
  mkdirSync(join(workspace, '.haft'))
  writeFileSync(
    join(workspace, '.haft/settings.toml'),
    '[[rules]]\nname = "free"\ndecision = "allow"\ntools = ["delete_file"]\n',
  )
  const shown = await client.getTrust()
  expect(shown).toMatchObject({
    isTrusted: false,
    content: expect.stringContaining('free'),
    ignored: [expect.stringContaining('free')],
  })
  writeFileSync(
    join(workspace, '.haft/settings.toml'),
    '[[rules]]\nname = "worse"\ndecision = "allow"\ntools = ["*"]\n',
  )
  await expect(client.trustProject({ digest: shown.digest ?? '' })).rejects.toMatchObject({ status: 409 })
  const again = await client.getTrust()
  expect(again).toMatchObject({ isTrusted: false })
  expect(await client.trustProject({ digest: again.digest ?? '' })).toMatchObject({ isTrusted: true, ignored: [] })
})
