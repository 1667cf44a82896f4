import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HaftError } from '../../../src/client/client.ts'
import { describeTools } from '../../../src/core/tool/describe-tool.ts'
import { askToWrite, startTestServer } from '../../support/http/test-server.ts'
import { eventually } from '../../support/processes.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('a call that needs nobody is answered with its result', async () => {
  const { client, workspace } = await startTestServer()
  writeFileSync(join(workspace, 'plan.md'), '# Plan\n')
  expect(await client.callTool({ name: 'read_file', arguments: { path: 'plan.md' } })).toMatchObject({
    ok: true,
    text: '# Plan\n',
  })
  expect(await client.callTool({ name: 'read_file', arguments: "{'path': 'plan.md',}" })).toMatchObject({ ok: true })
  expect(await client.callTool({ name: 'read_file' })).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' })
  expect(await client.callTool({ name: 'no_such_tool' })).toMatchObject({ ok: false, code: 'UNKNOWN_TOOL' })
})

test('a call that needs a person is answered with its approval request, and with its result later', async () => {
  const server = await startTestServer()
  const { client, workspace } = server
  const { call, approval } = await askToWrite(server)
  expect(approval).toMatchObject({ tool: 'write_file', workspace, answer: null, arguments: { path: 'plan.md' } })
  expect(await client.getCall({ id: call })).toMatchObject({ call, approval: { id: approval.id } })
  expect(await client.answerApproval({ id: approval.id, approved: true, digest: approval.digest })).toEqual({
    runs: 'asker',
  })
  await eventually(async () => 'ok' in (await client.getCall({ id: call })))
  expect(await client.getCall({ id: call })).toMatchObject({ ok: true })
  expect(readFileSync(join(workspace, 'plan.md'), 'utf8')).toBe('new\n')
  await expect(client.answerApproval({ id: approval.id, approved: true })).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
  })
  expect((await client.listApprovals()).approvals).toEqual([])
})

test('a person changes the arguments, and these are what runs; a denial tells why', async () => {
  const server = await startTestServer()
  const { client, workspace } = server
  const first = await askToWrite(server)
  expect(await client.checkApproval({ id: first.approval.id, modifiedArgs: { pth: 'x' } })).toEqual({
    problem: expect.stringContaining('pth'),
  })
  expect(
    await client.checkApproval({ id: first.approval.id, modifiedArgs: { path: 'plan.md', content: 'x' } }),
  ).toEqual({ problem: null })
  await expect(
    client.answerApproval({ id: first.approval.id, approved: true, modifiedArgs: { pth: 1 } }),
  ).rejects.toMatchObject({ status: 400 })
  await client.answerApproval({
    id: first.approval.id,
    approved: true,
    modifiedArgs: { path: 'plan.md', content: 'changed\n' },
  })
  await eventually(() => readFileSync(join(workspace, 'plan.md'), 'utf8') === 'changed\n')
  const second = await askToWrite(server)
  await client.answerApproval({ id: second.approval.id, approved: false, reason: 'not today' })
  await eventually(async () => 'ok' in (await client.getCall({ id: second.call })))
  expect(await client.getCall({ id: second.call })).toMatchObject({
    ok: false,
    code: 'DENIED',
    text: expect.stringContaining('not today'),
  })
})

test('a grant that is given with an approval answers later calls, is listed and can be revoked', async () => {
  const server = await startTestServer()
  const { client, workspace } = server
  const { approval } = await askToWrite(server)
  await client.answerApproval({ id: approval.id, approved: true, grant: { scope: 'folder', times: 5 } })
  await eventually(() => readFileSync(join(workspace, 'plan.md'), 'utf8') === 'new\n')
  const [grant] = (await client.listGrants()).grants
  expect(grant).toMatchObject({ tool: 'write_file', times: 5 })
  expect(
    await client.callTool({ name: 'write_file', arguments: { path: 'plan.md', content: 'again\n' } }),
  ).toMatchObject({ ok: true })
  await client.revokeGrant({ id: grant?.id ?? '' })
  await expect(client.revokeGrant({ id: grant?.id ?? '' })).rejects.toMatchObject({ status: 404 })
  expect(
    await client.callTool({ name: 'write_file', arguments: { path: 'plan.md', content: 'third\n' } }),
  ).toMatchObject({ approval: { tool: 'write_file' } })
})

test('a caller that goes away takes its call with it', async () => {
  const { client, home } = await startTestServer()
  const gone = new AbortController()
  const calling = client.callTool({ name: 'hang', arguments: {} }, { signal: gone.signal })
  await eventually(async () => (await home.log.calls({ tool: 'hang', isOpen: true })).length === 1)
  gone.abort()
  await expect(calling).rejects.toThrow()
  await eventually(async () => (await home.log.calls({ tool: 'hang', outcome: 'CANCELLED' })).length === 1)
})

test('a check says what would happen, in the mode that is named, and runs nothing', async () => {
  const { client, workspace } = await startTestServer()
  const sent = { name: 'shell', arguments: { command: 'rm -r build' } }
  expect(await client.checkTool({ ...sent, dryRun: true })).toMatchObject({
    decision: expect.stringMatching(/ask|deny|allow/),
    trace: expect.any(Array),
  })
  expect(
    await client.checkTool({ name: 'write_file', arguments: { path: 'x', content: '' }, mode: 'plan' }),
  ).toMatchObject({ decision: 'deny' })
  expect(
    await client.checkTool({ name: 'write_file', arguments: { path: 'x', content: '' }, workspace }),
  ).toMatchObject({ decision: 'allow' })
})

test('the list of tools is that of haft tools --json, is kept as bytes and has an ETag', async () => {
  const { client, home, url, token, workspace } = await startTestServer()
  const host = await home.host(workspace)
  expect(await client.listTools()).toEqual(JSON.parse(JSON.stringify(describeTools(host.registry.snapshot()))))
  expect(await client.getTool({ name: 'read_file' })).toMatchObject({
    name: 'read_file',
    effect: 'read',
    origin: 'built-in',
  })
  await expect(client.getTool({ name: 'reed_file' })).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining('read_file'),
  })
  expect(await client.refreshTools()).toMatchObject({ tools: expect.any(Array) })
  const headers = { Authorization: `Bearer ${token}` }
  const tag = (await fetch(`${url}/api/tools`, { headers })).headers.get('etag') ?? ''
  const again = await fetch(`${url}/api/tools`, { headers: { ...headers, 'If-None-Match': tag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
  expect((await fetch(`${url}/api/tools`, { headers: { ...headers, 'If-None-Match': '"x"' } })).status).toBe(200)
})

test('a long output is bounded in the result and can be read by lines', async () => {
  const { client } = await startTestServer()
  const result = await client.callTool({ name: 'shell', arguments: { command: 'seq 1 9000' } })
  expect(result).toMatchObject({ ok: true })
  const [record] = (await client.listCalls({ tool: 'shell' })).calls
  const id = record?.call ?? ''
  expect(await client.readOutput({ id, from: 8_999, to: 9_000 })).toMatchObject({
    lines: ['8999', '9000'],
    from: 8_999,
  })
  expect((await client.readOutput({ id })).lines).toHaveLength(2_000)
  await expect(client.readOutput({ id: 'c_nothing' })).rejects.toBeInstanceOf(HaftError)
})

test('undo shows the diff first, then restores the file', async () => {
  const { client, workspace } = await startTestServer()
  await client.callTool({ name: 'write_file', arguments: { path: 'note.md', content: 'hello\n' } })
  expect(await client.undo({ dryRun: true })).toMatchObject({
    calls: [expect.any(String)],
    check: { preview: { kind: 'diff' } },
  })
  expect(readFileSync(join(workspace, 'note.md'), 'utf8')).toBe('hello\n')
  expect(await client.undo()).toMatchObject({ result: { ok: true } })
  expect(() => readFileSync(join(workspace, 'note.md'))).toThrow()
  expect(await client.undo()).toMatchObject({ calls: [], result: { ok: false, code: 'FILE_NOT_FOUND' } })
})

test('one server works in several workspaces', async () => {
  const { client } = await startTestServer()
  const other = temporaryFolder()
  writeFileSync(join(other, 'here.txt'), 'other\n')
  expect(await client.callTool({ name: 'read_file', arguments: { path: 'here.txt' }, workspace: other })).toMatchObject(
    { ok: true, text: 'other\n' },
  )
  expect((await client.listWorkspaces()).workspaces.map(({ workspace }) => workspace)).toContain(other)
})

test('what leaves the server is masked as in the log', async () => {
  const { client, workspace } = await startTestServer()
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
  writeFileSync(join(workspace, 'notes.txt'), `token ${secret}\n`)
  const answer = await client.callTool({ name: 'read_file', arguments: { path: 'notes.txt' } })
  expect(JSON.stringify(answer)).not.toContain(secret)
  expect(JSON.stringify(answer)).toMatch(/\[masked [0-9a-f]{4}\]/)
})

test('a POST without a body takes an empty object, and nothing else', async () => {
  const { url, token } = await startTestServer()
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const refresh = async (body?: string) =>
    (await fetch(`${url}/api/tools/refresh`, { method: 'POST', headers, body: body ?? null })).status
  expect([await refresh(), await refresh('{}'), await refresh(' { } ')]).toEqual([200, 200, 200])
  expect([await refresh('{"a":1}'), await refresh('[]'), await refresh('null'), await refresh('{')]).toEqual([
    400, 400, 400, 400,
  ])
})
