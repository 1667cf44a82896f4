import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ApprovalRequest, Host } from '../../../src/index.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'
import { git, makeRepository, writeFiles } from '../../support/git.ts'
import { serveGit } from '../../support/git-http-server.ts'

const yes = { decision: 'allow' } as const

/** A workspace with a repository whose remote is a bare one elsewhere. */
async function openWithRemote(address?: (root: string) => Promise<string>) {
  const root = temporaryFolder()
  const remote = join(root, 'remote.git')
  git(root, 'init', '-q', '--bare', '-b', 'main', remote)
  git(remote, 'config', 'http.receivepack', 'true')
  const asked: ApprovalRequest[] = []
  const host = await exampleHost({
    approver: {
      ask(request) {
        asked.push(request)
        return Promise.resolve({ approved: true })
      },
    },
  })
  makeRepository(host.workspace)
  git(host.workspace, 'remote', 'add', 'origin', (await address?.(root)) ?? remote)
  return { host, remote, asked }
}

function commit(host: Host, message: string): void {
  writeFiles(host.workspace, { 'a.txt': `${message}\n` })
  git(host.workspace, 'commit', '-qam', message)
}

test('S1.13 git_push asks, shows what would be pushed and where, pushes, and notes the state of the remote', async () => {
  const { host, remote, asked } = await openWithRemote()
  commit(host, 'Second')
  const result = await host.call('git_push', { setUpstream: true })
  expect(result).toMatchObject({ ok: true, data: { remote: 'origin', branch: 'main', outcome: 'created', total: 2 } })
  expect(asked).toHaveLength(1)
  expect(asked[0]?.preview?.text).toMatch(
    /^Push main \([0-9a-f]{10}\), not seen on the remote before\nto origin: .*remote\.git\n\n2 commits:\n {2}[0-9a-f]{10} Second\n {2}[0-9a-f]{10} First$/,
  )
  expect(git(remote, 'log', '--format=%s', 'main')).toBe('Second\nFirst')
  expect(git(host.workspace, 'rev-parse', 'origin/main')).toBe(git(host.workspace, 'rev-parse', 'main'))
  expect(await host.call('git_status', {})).toMatchObject({ data: { upstream: 'origin/main', ahead: 0, behind: 0 } })
  commit(host, 'Third')
  expect(await host.call('git_push', {})).toMatchObject({
    data: { outcome: 'updated', total: 1, commits: [expect.stringContaining('Third')] },
  })
  expect(await host.call('git_push', {})).toMatchObject({ data: { outcome: 'unchanged', total: 0 } })
})

test('nobody to ask: nothing is pushed', async () => {
  const { host: asking, remote } = await openWithRemote()
  const host = await exampleHost({ workspace: asking.workspace })
  expect(await host.call('git_push', {})).toMatchObject({ ok: false, code: 'DENIED' })
  expect(git(remote, 'for-each-ref')).toBe('')
})

test('a push that is not a fast-forward is refused by the remote; force is shown, replaces, and only what was seen', async () => {
  const { host, remote, asked } = await openWithRemote()
  await host.call('git_push', {})
  commit(host, 'Second')
  await host.call('git_push', {})
  git(host.workspace, 'reset', '-q', '--hard', 'HEAD~1')
  commit(host, 'Other')
  const refused = await host.call('git_push', {})
  expect(refused).toMatchObject({
    ok: false,
    code: 'CONFLICT',
    text: expect.stringContaining('The remote refused the push'),
  })
  const forced = await host.call('git_push', { force: true })
  expect(forced).toMatchObject({ ok: true, data: { outcome: 'forced' } })
  expect(asked.at(-1)?.preview?.text).toMatch(/^Force-push main .*\n.*\nThis removes 1 commit from main on origin\./)
  expect(asked.at(-1)?.summary?.sentence ?? '').toContain('Overwrite')
  expect(git(remote, 'log', '--format=%s', 'main')).toBe('Other\nFirst')
  // Somebody else pushes; what was seen here is old.
  const other = join(temporaryFolder(), 'other')
  git('/', 'clone', '-q', remote, other)
  writeFiles(other, { 'theirs.txt': 'x\n' })
  git(other, 'add', '-A')
  git(other, 'commit', '-qm', 'Theirs')
  git(other, 'push', '-q', 'origin', 'main')
  git(host.workspace, 'commit', '--amend', '-qm', 'Amended')
  expect(await host.call('git_push', { force: true })).toMatchObject({
    ok: false,
    code: 'CONFLICT',
    text: expect.stringContaining('stale info'),
  })
  expect(git(remote, 'log', '-1', '--format=%s', 'main')).toBe('Theirs')
})

test('a push over HTTP uses the credentials of the address and never prints them', async () => {
  const { host, remote, asked } = await openWithRemote(
    async (root) => `http://ada:s3cretpass@${await serveGit(root, 'ada:s3cretpass')}/remote.git`,
  )
  const result = await host.call('git_push', {})
  expect(result).toMatchObject({
    ok: true,
    data: { outcome: 'created', url: expect.stringMatching(/^http:\/\/\*\*\*@127\.0\.0\.1:\d+\/remote\.git$/) },
  })
  expect(git(remote, 'log', '--format=%s', 'main')).toBe('First')
  const log = JSON.stringify([await host.log.read(), asked, result])
  expect(log).not.toContain('s3cretpass')
})

test('without credentials a push fails at once and prompts for nothing', async () => {
  const { host } = await openWithRemote(async (root) => `http://${await serveGit(root, 'ada:other')}/remote.git`)
  const result = await host.call('git_push', {}, yes)
  expect(result).toMatchObject({ ok: false, code: 'EXECUTION_ERROR' })
  expect(result.text).toMatch(/terminal prompts disabled|Authentication failed/)
})

test('a push over ssh that cannot sign in fails cleanly', async () => {
  const { host } = await openWithRemote(async () => 'ssh://git@127.0.0.1:1/remote.git')
  const result = await host.call('git_push', {}, yes)
  expect(result).toMatchObject({ ok: false, code: 'EXECUTION_ERROR' })
  expect(result.text).toContain('git push failed')
})

test('hooks of the repository do not run on a push, and its settings redirect nothing', async () => {
  const { host, remote } = await openWithRemote()
  const ran = join(host.workspace, 'ran')
  writeFileSync(join(host.workspace, '.git/hooks/pre-push'), `#!/bin/sh\ntouch ${ran}\nexit 1\n`)
  chmodSync(join(host.workspace, '.git/hooks/pre-push'), 0o755)
  git(host.workspace, 'config', `url.${temporaryFolder()}/.pushInsteadOf`, remote)
  git(host.workspace, 'config', 'push.default', 'nothing')
  expect(await host.call('git_push', {})).toMatchObject({ ok: true })
  expect(existsSync(ran)).toBe(false)
  expect(git(remote, 'log', '--format=%s', 'main')).toBe('First')
})

test.for([
  [{ remote: 'nope' }, 'there is no remote nope. There is origin.'],
  [{ branch: 'nope' }, 'there is no branch nope. There is main.'],
] as const)('git_push says what exists: %o', async ([input, text]) => {
  const { host, asked } = await openWithRemote()
  expect(await host.call('git_push', input)).toMatchObject({
    ok: false,
    code: 'INVALID_ARGUMENTS',
    text: expect.stringContaining(text),
  })
  expect(asked).toEqual([])
})
