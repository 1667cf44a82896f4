import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exampleHost, temporaryFolder } from '../support/example-host.ts'
import { openSandboxAs, USERS, type UsersSandbox } from '../support/sandbox-users.ts'
import { describeTree } from '../support/trees.ts'

const SAFE = ['-c', 'safe.directory=*', '-c', 'user.name=n', '-c', 'user.email=e@x']

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', [...SAFE, '-C', folder, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: '/nonexistent' },
  })
}

/** A repository with the branches main and dev, and a remote that has been fetched. */
function fillRepository(folder: string): void {
  git(folder, 'init', '-q', '-b', 'main')
  writeFileSync(join(folder, 'a.txt'), 'a\n')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-qm', 'one')
  git(folder, 'branch', 'dev')
  git(folder, 'branch', 'old')
  git(folder, 'remote', 'add', 'origin', 'https://example.com/a.git')
  git(folder, 'update-ref', 'refs/remotes/origin/main', 'main')
}

function openRepository(user: (typeof USERS)[number]): UsersSandbox {
  const sandbox = openSandboxAs(user)
  fillRepository(sandbox.workspace)
  sandbox.own()
  return sandbox
}

/** Runs what a person runs next, outside the sandbox. Git may fail; it must not run what was planted. */
function useGit(workspace: string): void {
  for (const args of [['status'], ['commit', '-qam', 'x', '--allow-empty'], ['checkout', '-q', 'dev']]) {
    try {
      git(workspace, ...args)
    } catch {
      // A broken repository is an error of git, and harmless.
    }
  }
}

describe.for(USERS)('the repository of %s', (user) => {
  test.for([
    ['switch -c with a remote branch', 'git switch -q -c f origin/main'],
    ['checkout of a branch', 'git checkout -q dev'],
    ['branch -m', 'git branch -m old new'],
    ['branch --track', 'git branch -q --track g origin/main'],
    ['branch --set-upstream-to', 'git branch -q --set-upstream-to origin/main dev'],
    ['a renamed branch that tracks another', 'git branch -q --track h origin/main && git branch -m h i'],
    ['config user.email', 'git config user.email me@example.com'],
    ['config with quotes and comments', `git config user.name 'A "B" # C; D \\'`],
    ['remote add', 'git remote add other https://example.com/b.git'],
    ['remote rename', 'git remote rename origin upstream'],
    ['worktree add', 'git worktree add -q wt dev && git -C wt status --short'],
    ['worktree add and remove', 'git worktree add -q wt dev && git worktree remove wt'],
    ['init again', 'rm -f .git/hooks/*.sample.gone; git init -q'],
    ['sparse-checkout init', 'git sparse-checkout init --cone'],
    [
      'a merge with a conflict',
      'git checkout -q dev && echo d > a.txt && git commit -qam d && git checkout -q main && echo m > a.txt && git commit -qam m && ! git merge -q dev > /dev/null',
    ],
    [
      'a rebase with a conflict',
      'git checkout -q dev && echo d > a.txt && git commit -qam d && git checkout -q main && echo m > a.txt && git commit -qam m && ! git rebase -q dev 2> /dev/null',
    ],
    ['stash and gc', 'echo s >> a.txt && git stash -q && git gc -q'],
    ['a new bare repository and a push to it', 'git init -q --bare b.git && git push -q ./b.git main'],
    ['a clone', 'git clone -q --no-hardlinks . sub'],
  ] as const)('%s works, and git understands what it left', async ([, command]) => {
    const { bash, workspace } = openRepository(user)
    const report = await bash(
      `export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e@x GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e@x; ${command}`,
    )
    expect(report, JSON.stringify(report)).toMatchObject({ exitCode: 0, changed: {} })
    expect(report.failed).toBeUndefined()
    expect(git(workspace, 'fsck', '--no-dangling')).toBe('')
  })

  const PLANT = (folder: string) =>
    `mkdir -p ${folder}/objects ${folder}/refs; echo "ref: refs/heads/x" > ${folder}/HEAD; git config -f ${folder}/config core.fsmonitor "touch $PWD/pwned; false"; git config -f ${folder}/config core.bare false; git config -f ${folder}/config core.worktree $PWD`

  test.for([
    ['a bare repository in the root, with HEAD spoiled', `${PLANT('.')}; echo spoiled > .git/HEAD`],
    ['a bare repository in a folder', PLANT('docs')],
    ['one whose HEAD is a link', `${PLANT('docs')}; ln -sf refs/heads/x docs/HEAD`],
    ['one whose objects are a link', `${PLANT('docs')}; rmdir docs/objects; ln -s /tmp docs/objects`],
    ['one whose configuration is a link', `${PLANT('docs')}; mv docs/config plain; ln -s ../plain docs/config`],
    ['one that has its parts elsewhere', `${PLANT('e')}; mkdir f; cp e/HEAD f; echo ../e > f/commondir; mv e/HEAD e/H`],
    ['a gitfile to a planted repository', `${PLANT('e')}; rm e/HEAD; mkdir s; echo 'gitdir: ../e' > s/.git`],
    ['a gitfile out of the workspace', 'mkdir s; echo "gitdir: /tmp/x" > s/.git'],
    [
      'a gitfile through a link',
      `mkdir -p s q; ln -s ../q .git/worktrees; echo 'gitdir: ../.git/worktrees/a' > s/.git`,
    ],
    ['the link .git', 'mkdir s x; ln -s ../x s/.git'],
    [
      'a work tree with its own hooks',
      'git worktree add -q wt dev; git config extensions.worktreeConfig true; git config -f .git/worktrees/wt/config.worktree core.hooksPath /tmp',
    ],
    [
      'a work tree that reads another repository',
      'git worktree add -q wt dev; echo /tmp > .git/worktrees/wt/commondir',
    ],
    ['a helper program as a remote', 'git config remote.x.url "ext::touch pwned"'],
    ['another address of a remote', 'git remote set-url origin https://example.com/evil.git'],
    ['a second address to push to', 'git remote set-url --push origin https://example.com/evil.git'],
    ['the program that answers a fetch', 'git config remote.origin.uploadpack "touch pwned"'],
    ['an alias', 'git config alias.st "!touch pwned"'],
    ['an included configuration', 'git config include.path ../evil'],
    [
      'a key behind a comment that is none',
      `printf '[user]\\nname = "a # b"\\n[core]\\nfsmonitor = evil\\n' >> .git/config`,
    ],
    ['a key behind a section on one line', `printf '[core] fsmonitor = evil\\n' >> .git/config`],
    [
      'a key behind a line that goes on',
      `printf '[user]\\nname = a\\\\\\nb\\n[core]\\nsshCommand = evil\\n' >> .git/config`,
    ],
    ['a key in the old form of a section', `printf '[filter.x]\\nclean = evil\\n' >> .git/config`],
    ['a configuration that is removed', 'rm .git/config'],
    [
      'a rebase that runs a program',
      'mkdir .git/rebase-merge; echo "exec touch pwned" > .git/rebase-merge/git-rebase-todo',
    ],
    ['attributes beside the work tree', 'mkdir -p .git/info; echo "* filter=lfs" > .git/info/attributes'],
    ['a hook that is moved in', 'cp /bin/true .git/hooks/a; mv .git/hooks/a .git/hooks/post-checkout'],
    ['a legacy remote', 'mkdir -p .git/branches; echo "ext::x" > .git/branches/x'],
    ['a submodule’s hook', 'git init -q .git/modules/s; echo x > .git/modules/s/.git/hooks/pre-commit'],
  ] as const)('%s is refused, and git runs nothing that was planted', async ([, command]) => {
    const { bash, workspace } = openRepository(user)
    const before = describeTree(workspace)
    const report = await bash(`echo other > other; ${command}; true`)
    expect(report.failed, JSON.stringify(report)).toBe('BLOCKED')
    expect(describeTree(workspace)).toEqual(before)
    useGit(workspace)
    expect(existsSync(join(workspace, 'pwned'))).toBe(false)
  })

  test('a repository that is planted in steps, over several runs and with the file tools, is refused at the last', async () => {
    const { bash, workspace } = openRepository(user)
    expect(await bash('mkdir -p x/objects x/refs; git config -f x/config core.fsmonitor evil')).toMatchObject({
      exitCode: 0,
    })
    expect(await bash('echo "ref: refs/heads/x" > x/HEAD')).toMatchObject({
      failed: 'BLOCKED',
      message: expect.stringContaining('x/config'),
    })
    const host = await exampleHost({ workspace })
    const refused = await host.call(
      'write_file',
      { path: 'x/HEAD', content: 'ref: refs/heads/x\n' },
      { decision: 'allow' },
    )
    expect(refused).toMatchObject({ ok: false, code: 'INVALID_PATH' })
  })

  test('the hooks that a configuration names are protected as .git/hooks is, wherever it names them', async () => {
    const { bash, workspace, own } = openRepository(user)
    git(workspace, 'config', 'core.hooksPath', '.githooks')
    git(workspace, 'config', 'include.path', '../shared.gitconfig')
    mkdirSync(join(workspace, 'scripts'))
    writeFileSync(join(workspace, 'scripts/check.sh'), '#!/bin/sh\n')
    writeFileSync(join(workspace, '.gitconfig'), '[core]\n\thooksPath = tools/hooks\n')
    symlinkSync('../../scripts/check.sh', join(workspace, '.git/hooks/pre-push'))
    own()
    for (const path of ['.githooks/pre-commit', 'shared.gitconfig', 'scripts/check.sh', 'tools/hooks/pre-commit']) {
      const report = await bash(`mkdir -p "$(dirname ${path})"; echo "touch pwned" >> ${path}; chmod +x ${path}`)
      expect(report, path).toMatchObject({ failed: 'BLOCKED', message: expect.stringContaining(path) })
    }
    expect(await bash('echo x > scripts/other.sh')).toMatchObject({ exitCode: 0, changed: {} })
  })
})

test('the file tools refuse hooks that a configuration names, and repositories that are not named .git', async () => {
  const host = await exampleHost({ home: temporaryFolder() })
  const { workspace } = host
  git(workspace, 'init', '-q')
  git(workspace, 'config', 'core.hooksPath', '.githooks')
  git(workspace, 'init', '-q', '--bare', 'b.git')
  for (const path of ['.githooks/pre-commit', 'b.git/hooks/update', 'b.git/config', '.git/info/attributes']) {
    const result = await host.call('write_file', { path, content: 'x' }, { decision: 'allow' })
    expect(result, path).toMatchObject({ ok: false, code: expect.stringMatching(/^(INVALID_PATH|BLOCKED)$/) })
  }
  const kept = await host.call('write_file', { path: '.githooks-notes', content: 'x' }, { decision: 'allow' })
  expect(kept).toMatchObject({ ok: true })
})

test.for([
  ['a branch that tracks another', 'git switch -q -c f origin/main'],
  ['a work tree', 'git worktree add -q wt dev'],
  ['a work tree that is removed', 'git worktree remove ready'],
  ['a setting', 'git config user.email x@example.com'],
] as const)('%s can be undone', async ([, code]) => {
  const host = await exampleHost({ home: temporaryFolder() })
  fillRepository(host.workspace)
  git(host.workspace, 'worktree', 'add', '-q', 'ready', 'old')
  const before = describeTree(host.workspace)
  const done = await host.call('run_code', { language: 'bash', code }, { decision: 'allow' })
  expect(done).toMatchObject({ ok: true, data: { exitCode: 0 } })
  expect(describeTree(host.workspace)).not.toEqual(before)
  const undone = await host.undo(await host.undoable(), { decision: 'allow' })
  expect(undone, JSON.stringify(undone)).toMatchObject({ ok: true })
  expect(describeTree(host.workspace)).toEqual(before)
})

test('an undo never brings back a configuration that a repository would run', async () => {
  const host = await exampleHost({ home: temporaryFolder() })
  const { workspace } = host
  mkdirSync(join(workspace, 'x'))
  writeFileSync(join(workspace, 'x/config'), '[core]\n\tfsmonitor = evil\n')
  chmodSync(join(workspace, 'x/config'), 0o644)
  const run = (code: string) => host.call('run_code', { language: 'bash', code }, { decision: 'allow' })
  expect(await run('echo "" > x/config')).toMatchObject({ ok: true })
  const [call = ''] = await host.undoable()
  expect(await run('mkdir x/objects x/refs; echo "ref: refs/heads/x" > x/HEAD')).toMatchObject({ ok: true })
  expect(await host.undo([call], { decision: 'allow' })).toMatchObject({ ok: false })
  expect(readFileSync(join(workspace, 'x/config'), 'utf8')).toBe('\n')
})
