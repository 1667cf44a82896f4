import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { becomes, eventual, folderHost } from '../../support/tool-folder.ts'

const version = (value: string | number, name = 'version') => `
import { defineTool, objectSchema } from 'haft'
export default defineTool({
  name: '${name}', description: 'Says which version it is (${value})', effect: 'none', input: objectSchema({}),
  execute: () => ({ value: '${value}', pid: process.pid }),
})`

test('S0.4 a file that is dropped in, changed, broken, repaired and deleted is followed while the host runs', async () => {
  const { host, names, skipped, write, folder } = await folderHost({})
  const value = async () => {
    const result = await host.call('version')
    return result.ok ? (result.data as { value: string }).value : result.code
  }
  expect(await value()).toBe('UNKNOWN_TOOL')
  write('v.ts', version(1))
  await becomes(names, ['version'])
  expect(await value()).toBe('1')
  write('v.ts~', version(2))
  renameSync(join(folder, 'v.ts~'), join(folder, 'v.ts'))
  await eventual(value).toBe('2')
  write('v.ts', `${version(3)}\nconst = 1`)
  await eventual(skipped).toEqual([
    expect.stringMatching(/^v.ts:7: it has a syntax error: .* Its last version that worked stays in use\.$/),
  ])
  expect(await value()).toBe('2')
  write('other.ts', version('x', 'other'))
  await becomes(names, ['other', 'version'])
  expect(await value()).toBe('2')
  write('v.ts', version(4))
  await eventual(value).toBe('4')
  expect(skipped()).toEqual([])
  rmSync(join(folder, 'v.ts'))
  await becomes(names, ['other'])
  expect(await value()).toBe('UNKNOWN_TOOL')
})

test('S0.4 the last good version of a broken file survives the end of its process', async () => {
  const { host, write, skipped } = await folderHost({
    'a.js': `export default { name: 'die', description: 'It', effect: 'none', input: { type: 'object' }, execute: () => process.exit(1) }`,
    'v.ts': version(1),
  })
  write('a.js', 'export const = 1')
  await eventual(skipped).toHaveLength(1)
  expect(await host.call('die')).toMatchObject({ ok: false, text: expect.stringContaining('exit code 1') })
  expect(await host.call('die')).toMatchObject({ ok: false, text: expect.stringContaining('exit code 1') })
  expect(await host.call('version')).toMatchObject({ ok: true })
})

test('S0.4 a process that is started again has the helper files that it was loaded with', async () => {
  const { host, write, folder, skipped } = await folderHost({
    '_word.ts': 'export const word: string = "one"',
    'data.json': '{"number": 1}',
    'a.ts': `import { word } from './_word.ts'
import { createRequire } from 'node:module'
import data from './data.json' with { type: 'json' }
const again = createRequire(import.meta.url)('./data.json')
const spec = { description: 'It', effect: 'none', parameters: { type: 'object' } }
export const words = { ...spec, name: 'words', handler: () => [word, data.number, again.number] }
export const leave = { ...spec, name: 'leave', handler: () => process.exit(1) }`,
  })
  expect(skipped()).toEqual([])
  const session = await host.session()
  write('_word.ts', 'export const word: string = "two"')
  rmSync(join(folder, 'data.json'))
  write('a.ts', 'export default {')
  await eventual(skipped).toEqual([expect.stringContaining('stays in use')])
  for (const caller of [host, session]) {
    expect(await caller.call('leave')).toMatchObject({ ok: false, text: expect.stringContaining('exit code 1') })
    expect(await caller.call('words')).toMatchObject({ ok: true, data: ['one', 1, 1] })
  }
})

test('S0.4 running calls and sessions keep the code they began with; two old versions are kept, older sessions move on', async () => {
  const { host, write, folder } = await folderHost({
    'hold.js': `import { existsSync } from 'node:fs'
export default { name: 'hold', description: 'It', effect: 'none', input: { type: 'object' }, async execute(input, { workspace, log }) {
  log('begun'); while (!existsSync(workspace + '/go')) await new Promise((r) => setTimeout(r, 5)); return 'held by 1' } }`,
    'v.ts': version(1),
  })
  const sessions = [await host.session()]
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  host.on((event) => event.type === 'call-delta' && resolve())
  const held = host.call('hold')
  await begun
  for (const next of [2, 3, 4]) {
    write('v.ts', version(next))
    const shows = async () => (await host.call('version')).text
    await eventual(shows).toContain(`"value":"${next}"`)
    sessions.push(await host.session())
  }
  const values = []
  for (const session of sessions) values.push(await session.call('version'))
  expect(values.map((result) => result.ok && (result.data as { value: string }).value)).toEqual(['4', '2', '3', '4'])
  writeFileSync(join(host.workspace, 'go'), '')
  expect(await held).toMatchObject({ ok: true, text: 'held by 1' })
  rmSync(join(folder, 'v.ts'))
  await eventual(() => host.registry.get('version')).toBeUndefined()
  for (const session of [sessions[0], sessions[3]])
    expect(await session?.call('version')).toMatchObject({ ok: true, data: { value: '4' } })
})

test('S0.4 a refresh loads again what a file imports from elsewhere', async () => {
  const { host, folder, write } = await folderHost({ '_none.js': '' })
  mkdirSync(join(folder, 'lib'))
  write('lib/word.js', 'export const word = "one"')
  write(
    'w.js',
    `import { word } from './lib/word.js'
export default { name: 'word', description: 'It', effect: 'none', input: { type: 'object' }, execute: () => word }`,
  )
  await eventual(() => host.registry.get('word')?.name).toBe('word')
  expect(await host.call('word')).toMatchObject({ text: 'one' })
  write('lib/word.js', 'export const word = "two"')
  await host.refreshTools()
  expect(await host.call('word')).toMatchObject({ text: 'two' })
})
