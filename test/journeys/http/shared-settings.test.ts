import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changeManaged } from '../../../src/settings/managed/managed-file.ts'
import { startServeProcess } from '../../support/http/serve-process.ts'
import { eventually } from '../../support/processes.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')

async function startTwo() {
  const place = { folder: join(temporaryFolder(), 'home'), workspace: temporaryFolder() }
  const [first, second] = [await startServeProcess(place), await startServeProcess(place)]
  return { ...place, first: first.client, second: second.client }
}

test('a rule that is added or removed at one server counts at the next call of another', {
  timeout: 60_000,
}, async () => {
  const { first, second } = await startTwo()
  const write = { name: 'write_file', arguments: { path: 'notes/a.md', content: 'x' } }
  for (let round = 0; round < 20; round++) {
    const [here, there] = round % 2 === 0 ? [first, second] : [second, first]
    const name = `no notes ${round}`
    await here.addRule({ name, decision: 'deny', writes: ['notes/**'] })
    expect(await there.checkTool(write)).toMatchObject({ decision: 'deny', rule: name })
    expect(await there.callTool(write)).toMatchObject({ ok: false, code: 'BLOCKED' })
    await expect(there.addRule({ name, decision: 'allow' })).rejects.toMatchObject({ status: 409 })
    await there.removeRule({ name })
    expect(await here.checkTool(write)).toMatchObject({ decision: 'allow' })
  }
  expect((await first.listRules()).rules.filter(({ isManaged }) => isManaged)).toEqual([])
})

test('rules that two servers add at the same time are all kept, and a name is given once', {
  timeout: 60_000,
}, async () => {
  const { first, second } = await startTwo()
  const names = Array.from({ length: 10 }, (_, at) => `rule ${at}`)
  const added = await Promise.all(
    names.flatMap((name) =>
      [first, second].map((client) =>
        client.addRule({ name, decision: 'deny', writes: ['x/**'] }).then(
          () => 'added',
          ({ status }) => status,
        ),
      ),
    ),
  )
  expect(added.filter((one) => one === 'added')).toHaveLength(10)
  expect(added.filter((one) => one === 409)).toHaveLength(10)
  for (const client of [first, second]) {
    const { rules } = await client.listRules()
    expect(rules.filter(({ isManaged }) => isManaged).map(({ rule }) => rule.name)).toEqual(
      expect.arrayContaining(names),
    )
  }
})

test('a model that is added at one server can be used at another, until it is removed', {
  timeout: 60_000,
}, async () => {
  const { first, second } = await startTwo()
  const settings = { provider: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:9/v1' } as const
  await first.addModel({ name: 'mine', settings, key: 'k', isDefault: true })
  expect(await second.getSettings()).toMatchObject({ model: 'mine', models: { mine: { model: 'm' } } })
  await second.removeModel({ name: 'mine' })
  expect(await first.getSettings()).toMatchObject({ model: null, models: {} })
})

test('an MCP server that is added at one server brings its tools to another, until it is removed', {
  timeout: 120_000,
}, async () => {
  const { first, second, folder } = await startTwo()
  // Programs of MCP servers start in the home folder.
  mkdirSync(join(folder, '../person'))
  const everything = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')
  await first.addMcpServer({ name: 'everything', command: process.execPath, args: [everything, 'stdio'] })
  expect((await second.listMcpServers()).servers.map(({ name }) => name)).toEqual(['everything'])
  expect(await second.checkTool({ name: 'everything:echo', arguments: { message: 'x' } })).toMatchObject({
    decision: 'ask',
  })
  await second.removeMcpServer({ name: 'everything' })
  expect((await first.listMcpServers()).servers).toEqual([])
  await eventually(async () => !(await first.listTools()).tools.some(({ name }) => name.startsWith('everything:')))
})

test('a mode that is set for the home counts in every process; a broken file changes nothing', {
  timeout: 60_000,
}, async () => {
  const { first, second, folder } = await startTwo()
  const write = { name: 'write_file', arguments: { path: 'a.md', content: 'x' } }
  expect(await second.checkTool(write)).toMatchObject({ decision: 'allow' })
  await changeManaged(folder, (given) => ({ ...given, mode: 'plan' }))
  for (const client of [first, second]) {
    expect(await client.checkTool(write)).toMatchObject({ decision: 'deny' })
    expect(await client.listRules()).toMatchObject({ mode: 'plan' })
    expect(await client.getSettings()).toMatchObject({ mode: 'plan' })
  }
  writeFileSync(join(folder, 'managed.toml'), 'mode = "everything"\n')
  await expect(first.addRule({ name: 'x', decision: 'deny', writes: ['x/**'] })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('managed.toml:1:1: mode'),
  })
  expect(await second.checkTool(write)).toMatchObject({ decision: 'deny' })
})
