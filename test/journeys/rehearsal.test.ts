import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exampleHost } from '../support/example-host.ts'
import { buildHouse, haft } from '../support/house.ts'
import { describeTree } from '../support/trees.ts'

test('a rehearsal shows output, exit code and changes, and applies nothing', async () => {
  const host = await exampleHost()
  writeFileSync(join(host.workspace, 'a.txt'), 'one\n')
  const before = describeTree(host.workspace)
  const command = 'echo said; echo two >> a.txt; echo x > new; exit 4'
  const report = await host.check('shell', { command }, { rehearse: true })
  expect(report.rehearsal).toMatchObject({
    ok: true,
    data: { stdout: 'said\n', exitCode: 4, changed: { added: ['new'], changed: ['a.txt'], deleted: [] } },
  })
  expect(describeTree(host.workspace)).toEqual(before)
  expect(host.events()).toEqual([])
})

test('a denied call is never rehearsed, nor a tool that runs no command', async () => {
  const host = await exampleHost({ rules: [{ name: 'no rm', decision: 'deny', tools: ['shell'] }] })
  expect((await host.check('shell', { command: 'echo x' }, { rehearse: true })).rehearsal).toBeUndefined()
  const other = await host.check('write_note', { path: 'a.txt', text: 'x' }, { rehearse: true })
  expect(other.rehearsal).toMatchObject({ ok: false, code: 'UNAVAILABLE' })
  expect(existsSync(join(host.workspace, 'a.txt'))).toBe(false)
})

test('haft check --rehearse prints it', async () => {
  const house = buildHouse()
  writeFileSync(join(house.workspace, 'keep'), 'kept')
  const ended = await haft(house, [
    'check',
    'run_code',
    '{"language":"bash","code":"rm keep; echo gone"}',
    '--rehearse',
  ])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.stdout).toContain('nothing was applied\ngone\n[deleted keep]')
  expect(readFileSync(join(house.workspace, 'keep'), 'utf8')).toBe('kept')
})
