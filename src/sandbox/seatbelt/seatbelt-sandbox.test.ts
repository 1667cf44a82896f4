import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/example-host.ts'
import { NO_PROGRAMS } from '../../../test/support/no-programs.ts'
import { DEFAULT_LIMITS, type Sandbox } from '../../core/ports/sandbox.ts'
import { chooseSandbox } from '../choose.ts'
import { seatbeltCommand } from './seatbelt-sandbox.ts'

interface OnMac {
  readonly sandbox: Sandbox
  readonly workspace: string
  profile(): string
}

/** A stub of `sandbox-exec` that records the profile and starts the command: this tests how it is called. */
async function openOnMac(env: Record<string, string> = {}): Promise<OnMac> {
  const [programs, workspace] = [temporaryFolder(), temporaryFolder()]
  const script = `#!/bin/sh\n[ "$1" = -p ] || exit 99\nprintf %s "$2" > ${programs}/profile\nshift 2\nexec "$@"\n`
  writeFileSync(join(programs, 'sandbox-exec'), script, { mode: 0o755 })
  const sandbox = await chooseSandbox({
    workspace,
    off: false,
    env: { ...process.env, SECRET_TOKEN: 'hush', ...env },
    home: temporaryFolder(),
    platform: 'darwin',
    programs: { ...NO_PROGRAMS, system: (name) => join(programs, name) },
    replaced: () => undefined,
  })
  return { sandbox, workspace, profile: () => readFileSync(join(programs, 'profile'), 'utf8') }
}

const owner = () => ({ call: 'c_1', signal: new AbortController().signal })

test('a Mac gets seatbelt, and doctor says that it was not tested', async () => {
  const { sandbox } = await openOnMac()
  const [finding] = await sandbox.examine()
  expect(finding).toMatchObject({ promise: 'sandbox', seen: expect.stringContaining('not tested here') })
})

test("a program that stays is refused with the reason, so a project's tools are not offered on a Mac", async () => {
  const { sandbox } = await openOnMac()
  const order = { argv: ['python3', '-c', 'print(1)'], output: () => undefined }
  await expect(sandbox.start?.(order)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/Haft has none for macOS yet.*~\/\.haft\/tools, work/),
  })
})

test('a command runs under the profile of its workspace, without our environment', async () => {
  const { sandbox, workspace, profile } = await openOnMac()
  const report = await sandbox.run({ argv: ['bash', '-c', 'pwd; env; ulimit -t'], limits: { cpuSeconds: 7 } }, owner())
  expect(report).toMatchObject({ exitCode: 0, mode: 'direct', ended: 'exit' })
  expect(report.stdout).toMatch(new RegExp(`^${workspace}\n`))
  expect(report.stdout).toMatch(/\n7\n$/)
  expect(report.stdout).not.toContain('hush')
  expect(profile()).toContain(`(allow file-write* (subpath "${workspace}") (subpath "`)
})

test('`python` starts Python on a Mac too, which has `python3` alone', async () => {
  const { sandbox } = await openOnMac({ PATH: '/usr/bin:/bin' })
  const report = await sandbox.run({ argv: ['bash', '-c', 'python -c "print(6 * 7)"'] }, owner())
  expect(report).toMatchObject({ stdout: '42\n', stderr: '', exitCode: 0 })
})

test('a dry run is refused because there is no overlay', async () => {
  const { sandbox } = await openOnMac()
  await expect(sandbox.run({ argv: ['true'], dryRun: true }, owner())).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

test('in the mode review no command runs, because nobody could see its changes before they are made', async () => {
  const { sandbox, workspace } = await openOnMac()
  const order = { argv: ['touch', 'made'] }
  await expect(sandbox.run(order, { ...owner(), mode: 'review' })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('macOS does not have overlays. Choose the mode "ask".'),
  })
  expect(readdirSync(workspace)).toEqual([])
  expect(await sandbox.run({ ...order, direct: true }, { ...owner(), mode: 'review' })).toMatchObject({ exitCode: 0 })
})

test('a Mac without sandbox-exec refuses', async () => {
  const none = { workspace: '/', home: '/nonexistent', off: false, env: {}, replaced: () => undefined }
  const sandbox = await chooseSandbox({ ...none, platform: 'darwin', programs: NO_PROGRAMS })
  await expect(sandbox.run({ argv: ['true'] }, owner())).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

test('arguments are passed on unchanged', () => {
  const argv = ['echo', '$HOME; "x"', "it's"]
  const command = seatbeltCommand('/usr/bin/sandbox-exec', '(version 1)', { argv, limits: DEFAULT_LIMITS })
  expect(command.slice(0, 5)).toEqual(['/usr/bin/sandbox-exec', '-p', '(version 1)', '/bin/sh', '-c'])
  expect(command.slice(6)).toEqual(['sh', ...argv])
})
