import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { HostOptions } from '../../src/index.ts'
import { exampleHost, temporaryFolder } from '../support/example-host.ts'
import { git, makeRepository, writeFiles } from '../support/git.ts'

/** A repository that would run a program, and how it is made. The program writes the file `ran` of the workspace. */
interface Hostile {
  readonly what: string
  plant(folder: string, payload: string): void
}

const config =
  (...pairs: readonly string[]) =>
  (folder: string, payload: string) => {
    for (let at = 0; at < pairs.length; at += 2)
      git(folder, 'config', pairs[at] ?? '', (pairs[at + 1] ?? '').replaceAll('PAYLOAD', payload))
  }

const ALL_HOOKS =
  'pre-commit prepare-commit-msg commit-msg post-commit post-checkout post-index-change reference-transaction pre-push pre-auto-gc fsmonitor-watchman'

function plantHooks(folder: string, payload: string): void {
  mkdirSync(folder, { recursive: true })
  for (const name of ALL_HOOKS.split(' ')) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${payload}\n`)
    chmodSync(join(folder, name), 0o755)
  }
}

const HOSTILE: readonly Hostile[] = [
  { what: 'hooks', plant: (folder, payload) => plantHooks(join(folder, '.git/hooks'), payload) },
  {
    what: 'core.hooksPath',
    plant(folder, payload) {
      plantHooks(join(folder, 'tools'), payload)
      git(folder, 'config', 'core.hooksPath', 'tools')
    },
  },
  { what: 'core.fsmonitor', plant: config('core.fsmonitor', 'PAYLOAD') },
  {
    what: 'clean, smudge and process filters that are required',
    plant(folder, payload) {
      writeFiles(folder, { '.gitattributes': '* filter=evil ident\n' })
      config(
        'filter.evil.clean',
        'PAYLOAD; cat',
        'filter.evil.smudge',
        'PAYLOAD; cat',
        'filter.evil.required',
        'true',
      )(folder, payload)
      config('filter.e=v.il.process', 'PAYLOAD')(folder, payload)
      writeFiles(folder, { 'sub/.gitattributes': '* filter=e=v.il\n', 'sub/x.txt': 'x\n' })
    },
  },
  {
    what: 'textconv, external and merge drivers',
    plant(folder, payload) {
      writeFiles(folder, { '.gitattributes': '* diff=evil merge=evil\n' })
      config(
        'diff.evil.textconv',
        'PAYLOAD; cat',
        'diff.evil.command',
        'PAYLOAD; true',
        'diff.external',
        'PAYLOAD; true',
      )(folder, payload)
      config('merge.evil.driver', 'PAYLOAD', 'diff.evil.cachetextconv', 'true')(folder, payload)
    },
  },
  {
    what: 'aliases, pagers, editors and helpers',
    plant(folder, payload) {
      for (const name of ['status', 'diff', 'log', 'show', 'branch', 'commit', 'push', 'switch', 'add', 'cat-file'])
        git(folder, 'config', `alias.${name}`, `!${payload}`)
      config(
        'core.pager',
        'PAYLOAD',
        'pager.log',
        'PAYLOAD',
        'pager.diff',
        'PAYLOAD',
        'core.editor',
        'PAYLOAD',
        'sequence.editor',
        'PAYLOAD',
      )(folder, payload)
      config(
        'credential.helper',
        '!PAYLOAD',
        'core.askPass',
        'PAYLOAD',
        'core.alternateRefsCommand',
        'PAYLOAD',
      )(folder, payload)
      config(
        'interactive.diffFilter',
        'PAYLOAD',
        'trailer.x.command',
        'PAYLOAD',
        'hook.x.command',
        'PAYLOAD',
        'hook.x.event',
        'pre-commit',
      )(folder, payload)
    },
  },
  {
    what: 'signing programs',
    plant: config(
      'gpg.program',
      'PAYLOAD',
      'commit.gpgSign',
      'true',
      'log.showSignature',
      'true',
      'gpg.ssh.program',
      'PAYLOAD',
      'gpg.ssh.defaultKeyCommand',
      'PAYLOAD',
      'user.signingKey',
      'x',
    ),
  },
  {
    what: 'remotes that run commands, core.sshCommand and url.*',
    plant(folder, payload) {
      config(
        'remote.origin.url',
        'ext::sh -c PAYLOAD',
        'core.sshCommand',
        'PAYLOAD',
        'core.gitProxy',
        'PAYLOAD',
      )(folder, payload)
      config(
        'remote.origin.receivepack',
        'PAYLOAD',
        'remote.origin.vcs',
        'evil',
        'url.ext::sh -c PAYLOAD %.insteadOf',
        'https://',
      )(folder, payload)
    },
  },
  {
    what: 'a submodule with filters, a monitor and hooks of its own',
    plant(folder, payload) {
      makeRepository(join(folder, 'module'), { 'm.txt': 'm\n', '.gitattributes': '* filter=evil\n' })
      git(folder, 'add', 'module')
      writeFiles(folder, {
        '.gitmodules': `[submodule "module"]\n\tpath = module\n\turl = ext::sh -c ${payload}\n`,
      })
      git(folder, 'add', '.gitmodules')
      git(folder, 'commit', '-qm', 'Module')
      config('filter.evil.clean', 'PAYLOAD; cat', 'core.fsmonitor', 'PAYLOAD')(join(folder, 'module'), payload)
      plantHooks(join(folder, '.git/hooks'), payload)
      config(
        'submodule.module.update',
        '!PAYLOAD',
        'submodule.recurse',
        'true',
        'diff.submodule',
        'log',
        'status.submoduleSummary',
        'true',
      )(folder, payload)
      writeFiles(folder, { 'module/m.txt': 'changed\n' })
    },
  },
  {
    what: 'repositories inside that are no submodules, one of them new',
    plant(folder, payload) {
      for (const name of ['inner', 'new']) {
        makeRepository(join(folder, name), { 'm.txt': 'm\n', '.gitattributes': '* filter=evil diff=evil\n' })
        config('filter.evil.clean', 'PAYLOAD; cat', 'diff.evil.textconv', 'PAYLOAD; cat')(join(folder, name), payload)
        config('core.fsmonitor', 'PAYLOAD')(join(folder, name), payload)
        if (name === 'inner') git(folder, '-c', 'advice.addEmbeddedRepo=false', 'add', name)
        writeFiles(join(folder, name), { 'm.txt': 'changed\n' })
      }
    },
  },
  {
    what: 'settings in an included file and of a worktree',
    plant(folder, payload) {
      writeFiles(folder, {
        'more.ini': `[core]\n\tfsmonitor = ${payload}\n[diff]\n\texternal = ${payload}; true\n[filter "evil"]\n\tclean = ${payload}; cat\n\trequired\n`,
        '.gitattributes': '* filter=evil\n',
      })
      git(folder, 'config', 'include.path', '../more.ini')
      git(folder, 'config', 'includeIf.onbranch:**.path', '../more.ini')
      git(folder, 'config', 'extensions.worktreeConfig', 'true')
      git(folder, 'config', '--worktree', 'core.fsmonitor', payload)
    },
  },
  {
    what: 'branches and files whose names are options',
    plant(folder) {
      for (const name of ['-D', '--output=ran', '--upload-pack=touch ran'])
        writeFileSync(
          join(folder, '.git/refs/heads', name.replaceAll('/', '_')),
          `${git(folder, 'rev-parse', 'main')}\n`,
        )
      writeFiles(folder, { '--output=ran': 'x\n', '-A': 'x\n' })
    },
  },
]

const CALLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['git_status', {}],
  ['git_diff', {}],
  ['git_diff', { from: 'HEAD~1', to: 'HEAD' }],
  ['git_diff', { staged: true }],
  ['git_log', { paths: ['a.txt'] }],
  ['git_show', {}],
  ['git_show', { path: 'a.txt' }],
  ['git_branch', {}],
  ['git_commit', { message: 'All', all: true }],
  ['git_branch', { action: 'create', name: 'other' }],
  ['git_branch', { action: 'switch', name: 'main' }],
  ['git_push', { branch: 'main' }],
]

/** Without the sandbox only the settings that the tools use hold the payload back. */
const SANDBOXES: readonly (readonly [string, HostOptions])[] = [
  ['bubblewrap', {}],
  ['off', { sandbox: 'off' }],
]

describe.for(SANDBOXES)('sandbox %s', ([, options]) => {
  test.for(HOSTILE)('nothing of a repository runs: $what', async ({ plant }) => {
    const host = await exampleHost(options)
    const { workspace } = host
    makeRepository(workspace, { 'a.txt': 'one\n' })
    writeFiles(workspace, { 'a.txt': 'two\n' })
    git(workspace, 'commit', '-qam', 'Second')
    const payload = join(temporaryFolder(), 'payload')
    const ran = join(workspace, 'ran')
    writeFileSync(payload, `#!/bin/sh\necho "$0 $*" >> ${ran}\nexit 0\n`)
    chmodSync(payload, 0o755)
    // In the sandbox the payload must be visible: only files of the workspace are.
    const inside = join(workspace, 'payload.sh')
    writeFileSync(inside, readFileSync(payload))
    chmodSync(inside, 0o755)
    plant(workspace, inside)
    rmSync(ran, { force: true })
    writeFiles(workspace, { 'a.txt': 'three\n' })
    const results = []
    for (const [tool, input] of CALLS)
      results.push([tool, await host.call(tool, input, { decision: 'allow' })] as const)
    expect(existsSync(ran) ? readFileSync(ran, 'utf8') : '').toBe('')
    const failed = results.filter(([tool, result]) => !result.ok && tool !== 'git_push')
    expect(failed.map(([tool, { text }]) => `${tool}: ${text}`)).toEqual([])
    expect(git(workspace, 'log', '-1', '--format=%s', 'main')).toBe('All')
  })
})

test('the payload of these tests does run when a person uses git by hand', () => {
  const folder = temporaryFolder()
  makeRepository(folder)
  const payload = join(folder, 'payload.sh')
  writeFileSync(payload, `#!/bin/sh\ntouch ${join(folder, 'ran')}\n`)
  chmodSync(payload, 0o755)
  git(folder, 'config', 'core.fsmonitor', payload)
  git(folder, 'status')
  expect(existsSync(join(folder, 'ran'))).toBe(true)
})

test.for(SANDBOXES)(
  'a repository whose files or data are outside the workspace is refused (%s)',
  async ([, options]) => {
    const host = await exampleHost(options)
    const outside = temporaryFolder()
    makeRepository(outside, { 'secret.txt': 'secret\n' })
    makeRepository(host.workspace)
    git(host.workspace, 'config', 'core.worktree', outside)
    const tree = await host.call('git_diff', {}, { decision: 'allow' })
    expect(tree.ok).toBe(false)
    mkdirSync(join(host.workspace, 'link'))
    writeFileSync(join(host.workspace, 'link/.git'), `gitdir: ${join(outside, '.git')}\n`)
    const data = await host.call('git_show', { repo: 'link', path: 'secret.txt' }, { decision: 'allow' })
    expect(data.ok).toBe(false)
    expect(`${tree.text}${data.text}`).not.toContain('secret\n')
    if (options.sandbox === 'off') expect(data.text).toContain('outside the workspace')
  },
)

test('git_push refuses a repository whose objects lead out of the workspace, and a remote in the workspace', async () => {
  const host = await exampleHost()
  const outside = temporaryFolder()
  const remote = join(temporaryFolder(), 'remote.git')
  makeRepository(outside, { 'secret.txt': 'secret\n' })
  makeRepository(host.workspace)
  git(outside, 'init', '-q', '--bare', remote)
  git(host.workspace, 'remote', 'add', 'origin', remote)
  writeFileSync(join(host.workspace, '.git/objects/info/alternates'), `${join(outside, '.git/objects')}\n`)
  expect(await host.call('git_push', {}, { decision: 'allow' })).toMatchObject({
    ok: false,
    code: 'BLOCKED',
    text: expect.stringContaining('borrows objects'),
  })
  rmSync(join(host.workspace, '.git/objects/info/alternates'))
  symlinkSync(join(outside, '.git/objects/pack'), join(host.workspace, '.git/objects/zz'))
  expect(await host.call('git_push', {}, { decision: 'allow' })).toMatchObject({
    ok: false,
    code: 'BLOCKED',
    text: expect.stringContaining('is a link'),
  })
  rmSync(join(host.workspace, '.git/objects/zz'))
  git(host.workspace, 'init', '-q', '--bare', 'here.git')
  plantHooks(join(host.workspace, 'here.git/hooks'), `touch ${join(host.workspace, 'ran')}`)
  git(host.workspace, 'remote', 'add', 'here', './here.git')
  const inside = await host.call('git_push', { remote: 'here' }, { decision: 'allow' })
  expect(inside).toMatchObject({ ok: false, code: 'BLOCKED', text: expect.stringContaining('folder of the workspace') })
  expect(existsSync(join(host.workspace, 'ran'))).toBe(false)
  expect(await host.call('git_push', {}, { decision: 'allow' })).toMatchObject({
    ok: true,
    data: { outcome: 'created' },
  })
})
