import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestServer } from '../../support/http/test-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('a detached call is answered at once with its id and session, and its result comes later', async () => {
  const { client, workspace } = await startTestServer()
  writeFileSync(join(workspace, 'a.txt'), 'zebra\n')
  const started = await client.callTool({ name: 'read_file', arguments: { path: 'a.txt' }, detached: true })
  expect(started).toEqual({ call: expect.any(String), session: expect.any(String) })
  const { call } = started as { readonly call: string }
  await expect
    .poll(() => client.getCall({ id: call }))
    .toMatchObject({ ok: true, text: expect.stringContaining('zebra') })
})

test('calls are found by words of their arguments and output, page by page', async () => {
  const { client, workspace } = await startTestServer()
  writeFileSync(join(workspace, 'a.txt'), 'zebra\n')
  for (let turn = 0; turn < 3; turn++) await client.callTool({ name: 'read_file', arguments: { path: 'a.txt' } })
  await client.callTool({ name: 'read_file', arguments: { path: 'missing.txt' } })
  const found = async (given: object) => (await client.listCalls(given)).calls
  expect(await found({ q: 'ZEBRA' })).toHaveLength(3)
  expect(await found({ q: 'missing' })).toMatchObject([{ outcome: 'FILE_NOT_FOUND' }])
  const [first] = await found({ q: 'zebra', limit: 1 })
  expect(await found({ q: 'zebra', before: first?.cursor })).toHaveLength(2)
  expect(await found({ q: 'zebra', outcome: 'FILE_NOT_FOUND' })).toEqual([])
})

test('a rule whose example is wrong is refused and not kept; one that is right is replayed, kept and counts', async () => {
  const { client, workspace, folder } = await startTestServer()
  writeFileSync(join(workspace, 'a.txt'), 'a\n')
  await client.callTool({ name: 'read_file', arguments: { path: 'a.txt' } })
  const rule = { name: 'no_a', decision: 'deny', reads: ['a.txt'] } as const
  const wrong = { ...rule, examples: { deny: ['read_file {"path":"b.txt"}'] } }
  await expect(client.addRule(wrong)).rejects.toThrow(/does not match it but should/)
  const report = await client.replayRules({ rule: wrong, days: 1 })
  expect(report).toMatchObject({
    examples: [{ holds: false }],
    changes: [{ tool: 'read_file', was: { decision: 'allow' }, now: { decision: 'deny', rule: 'no_a' } }],
  })
  expect((await client.listRules({})).rules.some(({ rule: one }) => one.name === 'no_a')).toBe(false)
  await client.addRule({ ...rule, examples: { deny: ['read_file {"path":"a.txt"}'] } })
  expect(readFileSync(join(folder, 'managed.toml'), 'utf8')).toContain('no_a')
  expect(await client.callTool({ name: 'read_file', arguments: { path: 'a.txt' } })).toMatchObject({ code: 'BLOCKED' })
  await expect(client.replayRules({ rule: { name: 'x', decision: 'ask', commands: ['('] } })).rejects.toThrow(/invalid/)
})

test('a tool folder outside of every workspace is added and its tools are offered; others are refused', async () => {
  const { client, workspace, folder } = await startTestServer()
  const tools = temporaryFolder()
  writeFileSync(
    join(tools, 'hello.py'),
    'def hello():\n    return "hi"\nTOOL_SPECS = [{"name": "hello", "description": "Hi.", "handler": hello, "parameters": {"type": "object", "properties": {}}}]\n',
  )
  mkdirSync(join(workspace, 'inside'))
  await expect(client.addToolFolder({ path: join(workspace, 'inside') })).rejects.toThrow(/share files/)
  await expect(client.addToolFolder({ path: join(workspace, '..') })).rejects.toThrow(
    /share files|contains Haft's own folder/,
  )
  await expect(client.addToolFolder({ path: 'tools' })).rejects.toThrow(/absolute/)
  await expect(client.addToolFolder({ path: join(tools, 'nothing') })).rejects.toThrow(/There is no folder/)
  await client.addToolFolder({ path: tools })
  expect((await client.listToolFolders({})).folders).toContainEqual({
    ...{ path: tools, from: join(folder, 'managed.toml'), isManaged: true, exists: true },
  })
  await expect
    .poll(async () => (await client.listTools({})).tools.some(({ name }) => name === 'hello'), { timeout: 20_000 })
    .toBe(true)
  await client.removeToolFolder({ path: tools })
  await expect.poll(async () => (await client.listTools({})).tools.some(({ name }) => name === 'hello')).toBe(false)
  await expect(client.removeToolFolder({ path: tools })).rejects.toThrow(/There is no tool folder/)
}, 60_000)

test('S4.8 why a tool is not there or was not used', async () => {
  const { client } = await startTestServer()
  expect(await client.explainTool({ name: 'raed_file' })).toMatchObject({
    findings: [{ cause: 'unknown', text: expect.stringContaining('read_file') }],
  })
})

test('the difference of a project that was trusted before names only what changed', async () => {
  const workspace = temporaryFolder()
  mkdirSync(join(workspace, '.haft'))
  const file = join(workspace, '.haft/settings.toml')
  const rule = (name: string) => `[[rules]]\nname = "${name}"\ndecision = "ask"\nwrites = ["docs/**"]\n`
  writeFileSync(file, rule('first'))
  const { client } = await startTestServer({ workspace })
  const before = await client.getTrust({})
  expect(before).toMatchObject({ isTrusted: false, difference: expect.stringContaining('+name = "first"') })
  const after = await client.trustProject({ digest: before.digest ?? '' })
  expect(after).toMatchObject({ isTrusted: true, difference: '' })
  writeFileSync(file, `${rule('first')}${rule('second')}`)
  const other = temporaryFolder()
  expect((await client.getTrust({ workspace: other })).difference).toBe('')
  const changed = await client.getTrust({})
  expect(changed.isTrusted).toBe(false)
  await expect(client.trustProject({ digest: before.digest ?? '' })).rejects.toThrow(/have changed/)
  expect(changed.difference).toContain('+name = "second"')
  expect(changed.difference).not.toContain('+name = "first"')
})
