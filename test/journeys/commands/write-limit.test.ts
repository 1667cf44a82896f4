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
