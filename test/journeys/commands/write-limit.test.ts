import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createHost } from '../../../src/index.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'

function homeWith(settings: string): string {
  const home = temporaryFolder()
  writeFileSync(join(home, 'settings.toml'), settings)
  return home
}

test.for([
  ['one file', 'head -c 5000000 /dev/zero > big'],
  ['many files', 'head -c 5000000 /dev/zero | split -b 100000 - part'],
  ['a file that grows while it runs', 'while true; do head -c 1000000 /dev/zero >> big; sleep 0.01; done'],
] as const)('S2.5 max_written_mb ends a command that writes more: %s', async ([, command]) => {
  const host = await exampleHost({ home: homeWith('[commands]\nmax_written_mb = 3\n') })
  const result = await host.call('shell', { command })
  expect(result, result.text).toMatchObject({ ok: false, code: 'EXECUTION_ERROR', details: { limit: 'written' } })
  expect(result.text).toContain('the 3 MB that one command may (max_written_mb under [commands] in your settings)')
  expect(readdirSync(host.workspace)).toEqual([])
})

test.for([
  ['files', 'for i in {1..60}; do : > f$i; done'],
  ['folders', 'mkdir -p d/{1..60}'],
  ['fifos', 'mkfifo f{1..60}'],
  ['deleted files', 'rm -r old/*'],
] as const)(
  'max_written_files ends a command that writes or deletes more, and nothing of it is applied: %s',
  async ([, command]) => {
    const host = await exampleHost({ home: homeWith('[commands]\nmax_written_files = 50\n') })
    mkdirSync(join(host.workspace, 'old'))
    for (let number = 0; number < 60; number++) writeFileSync(join(host.workspace, `old/${number}`), '')
    const result = await host.call('run_code', { language: 'bash', code: command }, { decision: 'allow' })
    expect(result, result.text).toMatchObject({ ok: false, code: 'EXECUTION_ERROR', details: { limit: 'files' } })
    expect(result.text).toContain(
      'the 50 files that one command may (max_written_files under [commands] in your settings)',
    )
    expect(readdirSync(host.workspace)).toEqual(['old'])
    expect(readdirSync(join(host.workspace, 'old'))).toHaveLength(60)
  },
)

test('what a command left out or wrote is named in a short line, however many files it is', async () => {
  const host = await exampleHost()
  const left = await host.call('run_code', { language: 'bash', code: 'mkfifo f{1001..4000}' })
  expect(left.text).toBe(
    '[3,000 special files were left out, since a workspace holds no fifos, sockets or devices: f1001, f1002, f1003 and 2,997 more]',
  )
  const added = await host.call('run_code', { language: 'bash', code: 'for i in {1001..4000}; do : > r$i; done' })
  expect(added.text).toMatch(/^\[added r1001, .{100,200}, r1020 and 2,980 more\]$/)
})

test('a command that writes less is applied, and a background command has the same limit', async () => {
  const host = await exampleHost({ home: homeWith('[commands]\nmax_written_mb = 3\n') })
  const command = (bytes: number, name: string) => ({ command: `head -c ${bytes} /dev/zero > ${name}` })
  expect(await host.call('shell', command(2_000_000, 'a'))).toMatchObject({ ok: true })
  const started = await host.call('shell', { ...command(5_000_000, 'b'), background: true })
  expect(started, started.text).toMatchObject({ ok: true })
  await host.tasks.idle()
  expect((await host.tasks.list())[0]).toMatchObject({ outcome: 'EXECUTION_ERROR' })
  expect(readdirSync(host.workspace)).toEqual(['a'])
})

test('a limit of zero stops the start with its place', async () => {
  await expect(
    createHost({ workspace: temporaryFolder(), home: homeWith('[commands]\nmax_written_mb = 0\n'), storage: 'memory' }),
  ).rejects.toThrow('2:1: commands.max_written_mb: expected a number above 0, not 0')
})

test('a project cannot raise the limit', async () => {
  const workspace = temporaryFolder()
  mkdirSync(join(workspace, '.haft'))
  writeFileSync(join(workspace, '.haft/settings.toml'), '[commands]\nmax_written_mb = 9000\n')
  const host = await exampleHost({ workspace, home: homeWith('[commands]\nmax_written_mb = 3\n') })
  expect(host.project.usersOwn).toEqual(['commands'])
  const result = await host.call('shell', { command: 'head -c 5000000 /dev/zero > big' })
  expect(result).toMatchObject({ ok: false, details: { limit: 'written' } })
})
