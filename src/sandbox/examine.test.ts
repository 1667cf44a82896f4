import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../test/support/example-host.ts'
import { NO_PROGRAMS } from '../../test/support/no-programs.ts'
import { programs } from '../app/programs/programs.ts'
import { chooseSandbox } from './choose.ts'
import { createRefusingSandbox } from './refuse.ts'

test('every promise holds on this machine, and doctor says how', async () => {
  const [workspace, home] = [temporaryFolder(), temporaryFolder()]
  const sandbox = await chooseSandbox({
    workspace,
    off: false,
    env: process.env,
    programs,
    home,
    replaced: () => undefined,
  })
  onTestFinished(() => sandbox.close())
  const findings = await sandbox.examine()
  expect(findings.filter(({ holds }) => !holds)).toEqual([])
  expect(findings.find(({ promise }) => promise === 'changes')?.seen).toContain('all or nothing')
})

/** Ends its process while the sandbox is examined, as a person who leaves at once. */
const LEAVE_AT_ONCE = `
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createHost } from ${JSON.stringify(import.meta.resolve('../index.ts'))}
const host = await createHost({ workspace: process.argv[1] })
const findings = host.examineSandbox()
const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('haft-probe-'))
const look = () => {
  if (folders().length === 0) return setImmediate(look)
  console.log('examined')
  process.exit()
}
look()
await findings
`

test('a process that ends while the sandbox is examined leaves no folder behind', () => {
  const [workspace, temporary] = [temporaryFolder(), temporaryFolder()]
  const args = ['--input-type=module', '-e', LEAVE_AT_ONCE, workspace]
  const env = { ...process.env, TMPDIR: temporary }
  expect(execFileSync(process.execPath, args, { env, encoding: 'utf8' })).toBe('examined\n')
  expect(readdirSync(temporary).filter((name) => name.startsWith('haft-probe-'))).toEqual([])
})

test('without a sandbox the finding says what to install', async () => {
  const [finding] = await createRefusingSandbox('bubblewrap is not installed', 'Install it.').examine()
  const seen = 'bubblewrap is not installed. Install it.'
  expect(finding).toEqual({ promise: 'sandbox', holds: false, seen, remedy: 'Install it.' })
})

test('a machine without bubblewrap refuses with the install line', async () => {
  const none = {
    workspace: '/',
    home: '/nonexistent',
    off: false,
    env: { PATH: '/nonexistent' },
    replaced: () => undefined,
  }
  const sandbox = await chooseSandbox({ ...none, programs: NO_PROGRAMS })
  const run = sandbox.run({ argv: ['true'] }, { call: 'c_1', signal: new AbortController().signal })
  await expect(run).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('apt-get install bubblewrap'),
  })
})
