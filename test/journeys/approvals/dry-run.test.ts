import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildProgram, haft } from '../../support/built-program.ts'
import { exampleHost } from '../../support/example-host.ts'
import { describeTree } from '../../support/trees.ts'

test('a dry run shows output, exit code and changes, and applies nothing', async () => {
  const host = await exampleHost()
  writeFileSync(join(host.workspace, 'a.txt'), 'one\n')
  const before = describeTree(host.workspace)
  const command = 'echo said; echo two >> a.txt; echo x > new; exit 4'
  const report = await host.check('shell', { command }, { dryRun: true })
  expect(report.dryRun).toMatchObject({
    ok: true,
    data: { stdout: 'said\n', exitCode: 4, changed: { added: ['new'], changed: ['a.txt'], deleted: [] } },
  })
  expect(describeTree(host.workspace)).toEqual(before)
  expect(await host.log.read()).toEqual([])
})

test('a denied call has no dry run, nor has a tool that runs no command', async () => {
  const host = await exampleHost({ rules: [{ name: 'no rm', decision: 'deny', tools: ['shell'] }] })
  expect((await host.check('shell', { command: 'echo x' }, { dryRun: true })).dryRun).toBeUndefined()
  const other = await host.check('write_note', { path: 'a.txt', text: 'x' }, { dryRun: true })
  expect(other.dryRun).toMatchObject({ ok: false, code: 'UNAVAILABLE' })
  expect(existsSync(join(host.workspace, 'a.txt'))).toBe(false)
})

test('haft check --rehearse prints it', async () => {
  const program = buildProgram()
  writeFileSync(join(program.workspace, 'keep'), 'kept')
  const ended = await haft(program, [
    'check',
    'run_code',
    '{"language":"bash","code":"rm keep; echo gone"}',
    '--rehearse',
  ])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.stdout).toContain('nothing was applied\ngone\n[deleted keep]')
  expect(readFileSync(join(program.workspace, 'keep'), 'utf8')).toBe('kept')
})

test('a dry run shows changes line by line, what is new and what goes, and says what is binary', async () => {
  const host = await exampleHost()
  const put = (path: string, text: string) => writeFileSync(join(host.workspace, path), text)
  mkdirSync(join(host.workspace, 'src'))
  put('a.txt', 'one\ntwo\nthree\n')
  put('data', '\0\u0001')
  put('src/gone.txt', 'gone\n')
  const before = describeTree(host.workspace)
  const code =
    'sed -i s/two/2/ a.txt; echo more >> data; rm src/gone.txt; rmdir src; mkdir -p new/empty; echo x > new/file'
  const { dryRun } = await host.check('run_code', { language: 'bash', code }, { dryRun: true })
  expect(dryRun).toMatchObject({
    ok: true,
    data: {
      exitCode: 0,
      changed: { added: ['new/empty/', 'new/file'], changed: ['a.txt', 'data'], deleted: ['src'] },
      diff: [
        '--- a.txt',
        '+++ a.txt',
        '@@ -1,3 +1,3 @@',
        ' one',
        '-two',
        '+2',
        ' three',
        '--- data',
        '+++ data',
        '(2 bytes, binary → 7 bytes, binary)',
        '--- /dev/null',
        '+++ new/empty',
        '(nothing → a folder)',
        '--- /dev/null',
        '+++ new/file',
        '@@ -0,0 +1,1 @@',
        '+x',
        '--- src',
        '+++ /dev/null',
        '(a folder → nothing)',
        '',
      ].join('\n'),
    },
  })
  expect(dryRun?.text).toMatch(/^\[added new\/empty\/, new\/file; changed a\.txt, data; deleted src\]\n--- a\.txt\n/)
  expect(describeTree(host.workspace)).toEqual(before)
})

test('a dry run of very many and very long changes is bounded, and says what it leaves out', async () => {
  const host = await exampleHost()
  const code = 'for i in {1..400}; do seq 300 > f$i; done; seq 100000 > long'
  const { dryRun } = await host.check('run_code', { language: 'bash', code }, { dryRun: true })
  const { diff = '' } = dryRun?.ok ? (dryRun.data as { diff?: string }) : {}
  expect(diff.length).toBeGreaterThan(100_000)
  expect(diff.length).toBeLessThan(250_000)
  expect(diff).toMatch(/… and \d+ more changes that are not shown\n$/)
  const one = await host.check('run_code', { language: 'bash', code: 'seq 100000 > long' }, { dryRun: true })
  expect(one.dryRun?.text).toMatch(/… and \d+ more lines of it that are not shown\n$/)
})

test('a dry run shows a change to files that other programs trust and asks nobody', async () => {
  const host = await exampleHost({ approver: { ask: () => Promise.reject(new Error('nobody is to be asked')) } })
  const report = await host.check('shell', { command: 'echo x > .npmrc' }, { dryRun: true })
  expect(report.dryRun).toMatchObject({ ok: true, data: { diff: expect.stringContaining('+++ .npmrc\n') } })
  expect(existsSync(join(host.workspace, '.npmrc'))).toBe(false)
})

test('haft check --rehearse prints the diff, and nothing of a denied call', async () => {
  const program = buildProgram()
  writeFileSync(join(program.workspace, 'keep'), 'kept\n')
  const args = '{"language":"bash","code":"echo said; echo more >> keep; exit 3"}'
  const shown = await haft(program, ['check', 'run_code', args, '--rehearse'])
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  expect(shown.stdout).toContain(
    'nothing was applied\nsaid\n[exit code 3]\n[changed keep]\n--- keep\n+++ keep\n@@ -1,1 +1,2 @@\n kept\n+more\n',
  )
  const json = JSON.parse((await haft(program, ['check', 'run_code', args, '--rehearse', '--json'])).stdout)
  expect(json.dryRun.data).toMatchObject({ exitCode: 3, diff: expect.stringContaining('+more') })
  mkdirSync(program.home, { recursive: true })
  writeFileSync(
    join(program.home, 'settings.toml'),
    '[[rules]]\nname = "never"\ndecision = "deny"\ntools = ["run_code"]\n',
  )
  const denied = await haft(program, ['check', 'run_code', args, '--rehearse'])
  expect(denied.code).toBe(3)
  expect(denied.stdout).not.toContain('dry run')
  expect(readFileSync(join(program.workspace, 'keep'), 'utf8')).toBe('kept\n')
})
