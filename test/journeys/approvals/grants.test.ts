import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { Grant, GrantChoice } from '../../../src/core/approval/grant.ts'
import type { Host, HostOptions, Reply } from '../../../src/index.ts'
import { openGrants } from '../../../src/settings/grants/grants-file.ts'
import { buildProgram, haft } from '../../support/built-program.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'
import { startWaiting } from '../../support/waiting-call.ts'

const run = promisify(execFile)

/** A host whose approver answers the first request with yes and a grant, and all others with no. */
async function grantingHost(grant: GrantChoice, options: HostOptions = {}): Promise<Host> {
  let asked = 0
  const reply = (): Reply => (asked++ === 0 ? { approved: true, grant } : { approved: false })
  return exampleHost({ approver: { ask: async () => reply() }, ...options })
}

const write = async (host: Host, path: string, session?: string) => {
  const result = await host.call('write_note', { path, text: '' }, session === undefined ? {} : { session })
  return result.ok ? 'ok' : result.code
}

test('a grant for n times holds n times, here and in every process that shares the home', async () => {
  const home = temporaryFolder()
  const workspace = temporaryFolder()
  const host = await grantingHost({ scope: 'folder', times: 3 }, { home, workspace })
  const other = await exampleHost({ home, workspace })
  expect(await write(host, 'asked')).toBe('ok')
  expect([await write(host, 'b'), await write(other, 'c'), await write(host, 'd')]).toEqual(['ok', 'ok', 'ok'])
  expect([await write(host, 'e'), await write(other, 'f')]).toEqual(['DENIED', 'DENIED'])
  expect(await host.approvals.grants()).toEqual([])
})

test('a grant for minutes ends with them', async () => {
  const host = await grantingHost({ scope: 'folder', minutes: 0.05 })
  await write(host, 'a')
  expect(await write(host, 'b')).toBe('ok')
  await expect.poll(() => write(host, 'c'), { timeout: 20_000, interval: 100 }).toBe('DENIED')
  expect(await host.approvals.grants()).toEqual([])
})

test('a grant for this session holds in no other', async () => {
  const host = await grantingHost({ scope: 'folder', session: true })
  expect(await write(host, 'a', 's_mine')).toBe('ok')
  expect(await write(host, 'b', 's_mine')).toBe('ok')
  expect(await write(host, 'c', 's_other')).toBe('DENIED')
})

test('a grant without a limit outlives the process, is named in the log and the trace, and counts its uses', async () => {
  const home = temporaryFolder()
  const workspace = temporaryFolder()
  const first = await grantingHost({ scope: 'exact' }, { home, workspace })
  await write(first, 'a')
  await first.close()
  const host = await exampleHost({ home, workspace })
  expect(await write(host, 'a')).toBe('ok')
  const [grant] = await host.approvals.grants()
  expect(await host.check('write_note', { path: 'a', text: '' })).toMatchObject({
    decision: 'allow',
    rule: `grant ${grant?.id}`,
    trace: [
      { layer: 'defaults', rule: 'ask_change' },
      { layer: 'grants', decision: 'allow' },
    ],
  })
  expect((await host.rules()).at(-1)).toMatchObject({ layer: 'grants', rule: { name: `grant ${grant?.id}` } })
  expect((await host.log.calls())[0]).toMatchObject({ decision: 'allow', rule: `grant ${grant?.id}` })
  await host.close()
  expect(await openGrants(home).list()).toMatchObject([{ id: grant?.id, used: 1 }])
})

test('haft approvals grants lists with use counts and revokes; the file is the person’s alone', async () => {
  const program = buildProgram()
  const { id, ended } = await startWaiting(program, 'write_note', { path: 'a.txt', text: 'hi' })
  expect(await haft(program, ['approvals', id, 'yes', '--grant', 'folder', '--for', 'soon'])).toMatchObject({ code: 2 })
  expect(await haft(program, ['approvals', id, 'yes', '--grant', 'folder', '--for', '30m'])).toMatchObject({ code: 0 })
  expect((await ended).code).toBe(0)
  expect(await haft(program, ['call', 'write_note', '{"path":"b.txt","text":""}'])).toMatchObject({ code: 0 })
  const { grants } = JSON.parse((await haft(program, ['approvals', 'grants', '--json'])).stdout)
  expect(grants).toMatchObject([
    { tool: 'write_note', used: 1, until: expect.any(Number), workspace: program.workspace },
  ])
  expect(statSync(join(program.home, 'grants.toml')).mode & 0o777).toBe(0o600)
  expect((await haft(program, ['approvals', 'grants'])).stdout).toMatch(/anything in the workspace\n.*used 1 time/)
  const revoke = ['approvals', 'grants', 'revoke', grants[0].id]
  expect(await haft(program, revoke)).toMatchObject({ code: 0 })
  expect(await haft(program, revoke)).toMatchObject({ code: 1 })
  expect(await haft(program, ['call', 'write_note', '{"path":"c.txt","text":""}'])).toMatchObject({ code: 3 })
})

const GRANT: Grant = {
  id: 'g_1',
  tool: 'write_note',
  workspace: '/w',
  scope: { kind: 'prefix', prefixes: [['git', 'push']], hosts: [] },
  text: 'commands that start with git push',
  answers: ['ask_publish'],
  madeAt: 1,
  times: 60,
  used: 0,
}

test('six processes that use and add grants at once use it up exactly and lose none', { timeout: 60_000 }, async () => {
  const home = temporaryFolder()
  const grants = openGrants(home)
  await grants.add(GRANT)
  const script = join(import.meta.dirname, '../../support/use-grant.ts')
  const users = Array.from({ length: 6 }, () => run(process.execPath, [script, home, 'g_1', '20']))
  for (let number = 2; number < 12; number++) await grants.add({ ...GRANT, id: `g_${number}` })
  const used = (await Promise.all(users)).map(({ stdout }) => Number(stdout))
  expect(used.reduce((sum, one) => sum + one, 0)).toBe(60)
  expect((await grants.list()).map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, at) => `g_${at + 2}`))
})

test.for([
  ['no TOML', 'grants = ['],
  ['half a grant', '[[grants]]\nid = "g_1"\ntool = "write_note"\nworkspace = "/w"\n'],
  [
    'an unknown limit',
    `${'[[grants]]\nid = "g_1"\ntool = "shell"\nworkspace = "/w"\nanswers = []\nmade_at = 1\nused = 0\nonly = "mondays"\n'}scope = { kind = "tool" }\n`,
  ],
] as const)('a file of grants that is %s grants nothing, is reported, and is not overwritten', async ([, text]) => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'grants.toml'), text)
  const warned = new Promise((resolve) => process.once('warning', resolve))
  const grants = openGrants(home)
  expect(await grants.list()).toEqual([])
  expect(await warned).toMatchObject({ name: 'HaftGrantsWarning' })
  await expect(grants.add(GRANT)).rejects.toThrow()
  expect(readFileSync(join(home, 'grants.toml'), 'utf8')).toBe(text)
})

test('uses that cannot be written end nothing and are written the next time', async () => {
  const home = temporaryFolder()
  const { times: _, ...unlimited } = GRANT
  const grants = openGrants(home)
  await grants.add(unlimited)
  expect([await grants.use('g_1'), await grants.use('g_1')]).toEqual([true, true])
  const file = join(home, 'grants.toml')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, 'grants = [')
  const warned = new Promise((resolve) => process.once('warning', resolve))
  grants.flush()
  expect(await warned).toMatchObject({ message: expect.stringMatching(/^The uses of grants could not be saved: /) })
  writeFileSync(file, text)
  grants.flush()
  expect(await openGrants(home).list()).toMatchObject([{ id: 'g_1', used: 2 }])
})

test('if a grant cannot be stored, the approval holds for this call only, and a warning says so', async () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'grants.toml'))
  const warnings: Error[] = []
  const hear = (warning: Error) => void warnings.push(warning)
  process.on('warning', hear)
  onTestFinished(() => void process.off('warning', hear))
  const host = await grantingHost({ scope: 'folder' }, { home })
  expect([await write(host, 'a'), await write(host, 'b')]).toEqual(['ok', 'DENIED'])
  await expect.poll(() => warnings.map(({ message }) => message).join()).toContain('could not be saved')
})

test('a rule of the settings may name the words that commands start with', async () => {
  const home = temporaryFolder()
  const rule = '[[rules]]\nname = "pushes"\ndecision = "allow"\ntools = "shell"\nprefixes = [["git", "push"]]\n'
  writeFileSync(join(home, 'settings.toml'), rule)
  const host = await exampleHost({ home })
  const decide = async (command: string) => (await host.check('shell', { command })).decision
  expect(await decide('git push origin')).toBe('allow')
  expect(await decide('git push origin; git push $X')).toBe('ask')
})
