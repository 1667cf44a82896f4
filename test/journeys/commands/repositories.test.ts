import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'
import { openSandboxAs, USERS, type UsersSandbox } from '../../support/sandbox-users.ts'
import { describeTree } from '../../support/trees.ts'

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
  for (const args of [
    ['status'],
    ['checkout', '--', '.'],
    ['commit', '-qam', 'x', '--allow-empty'],
    ['checkout', '-q', 'dev'],
  ]) {
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
    ['a clone that shares objects', 'git clone -q -s . sub && git -C sub log --oneline'],
    ['a stash that is taken back', 'echo s >> a.txt && git stash -q && git stash pop -q'],
    ['a rebase', 'git checkout -q dev && echo d > d.txt && git add -A && git commit -qm d && git rebase -q main'],
    [
      'a merge',
      'git checkout -q dev && echo d > d.txt && git add -A && git commit -qm d && git checkout -q main && git merge -q --no-ff dev -m m',
    ],
    [
      'a cherry-pick of two commits with a conflict',
      'git checkout -q dev && echo d > a.txt && git commit -qam d && echo e > a.txt && git commit -qam e && git checkout -q main && echo m > a.txt && git commit -qam m && ! git cherry-pick -x dev~2..dev > /dev/null 2>&1',
    ],
    ['a revert', 'echo b > b.txt && git add -A && git commit -qm b && git revert --no-edit HEAD > /dev/null'],
    [
      'a bisection of a path',
      'for i in 1 2 3 4; do echo $i > a.txt; git commit -qam $i; done; git bisect start HEAD HEAD~4 -- a.txt > /dev/null && git bisect good > /dev/null && git bisect reset > /dev/null 2>&1',
    ],
    [
      'an unfinished bisection',
      'for i in 1 2 3 4; do echo $i > a.txt; git commit -qam $i; done; git bisect start HEAD HEAD~4 -- a.txt > /dev/null',
    ],
    ['notes and tags', 'git notes add -m n && git tag -a v1 -m v1 && git tag -d v1 > /dev/null'],
    [
      'gc and maintenance',
      'git gc -q --aggressive && git repack -qad && git pack-refs --all && git commit-graph write',
    ],
    ['commit --amend and reset', 'git commit -q --amend -m two && git reset -q --hard HEAD'],
    ['clean, rm and mv', 'echo x > x; git clean -qfd; git mv a.txt b.txt && git rm -q --cached b.txt && git reset -q'],
    [
      'an index of version 4',
      'git update-index --index-version 4 && echo b > b.txt && git add b.txt && git commit -qm b',
    ],
    ['a split index', 'git update-index --split-index && echo b > b.txt && git add b.txt'],
    [
      'a sparse index',
      'mkdir d e && echo x > d/x && echo y > e/y && git add -A && git commit -qm x && git sparse-checkout set --cone --sparse-index d',
    ],
    [
      'patches',
      'echo b > b.txt && git add -A && git commit -qm b && git format-patch -q -1 -o p && git reset -q --hard HEAD~ && git am -q p/*.patch',
    ],
    [
      'a patch with a conflict',
      'echo b > a.txt && git commit -qam b && git format-patch -q -1 -o p && git reset -q --hard HEAD~ && echo c > a.txt && git commit -qam c && ! git am -q p/*.patch > /dev/null 2>&1',
    ],
    [
      'unset and colours',
      'git config user.email x && git config --unset user.email && git config color.ui auto && git config pull.rebase true',
    ],
    [
      'a repository with long hashes',
      'git init -q --object-format=sha256 l && cd l && echo x > x && git add x && git commit -qm x',
    ],
    [
      'a work tree that is moved and locked',
      'git worktree add -q wt dev && git worktree move wt wt2 && git worktree lock wt2 && git worktree prune',
    ],
  ] as const)('%s works, and git understands what it left', async ([, command]) => {
    const { bash, workspace } = openRepository(user)
    const report = await bash(
      `export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e@x GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e@x; ${command}`,
    )
    expect(report, JSON.stringify(report)).toMatchObject({ exitCode: 0, changed: {} })
    expect(report.failed).toBeUndefined()
    expect(git(workspace, 'fsck', '--no-dangling')).toBe('')
  })

  /** Makes an index that names a hook; git writes what an index names. */
  const CRAFT_INDEX = `
mkdir -p xgit/hooks; printf '#!/bin/sh\\ntouch pwned\\n' > xgit/hooks/post-checkout; chmod +x xgit/hooks/post-checkout
git add xgit; rm -r xgit
python3 -c "
import hashlib
b = open('.git/index', 'rb').read()[:-20].replace(b'xgit/hooks', b'.git/hooks')
open('.git/index', 'wb').write(b + hashlib.sha1(b).digest())
"`

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
    ['paths in the index that git would write', CRAFT_INDEX],
    ['paths in an index of version 4', `git update-index --index-version 4; ${CRAFT_INDEX}`],
    ['objects of another repository', 'echo /tmp/elsewhere/objects > .git/objects/info/alternates'],
    ['objects over a link', 'ln -s /tmp o; echo ../../o > .git/objects/info/alternates'],
    ['another remote to push to', 'git config remote.pushDefault https://example.com/evil.git'],
    [
      'another remote for a branch',
      'git remote add evil https://example.com/evil.git; git config branch.main.pushRemote evil',
    ],
    ['another remote for a branch, as its upstream', 'git config branch.main.remote https://example.com/evil.git'],
    ['a program as merge strategy', "mkdir .git/sequencer; printf '[options]\\nstrategy = x\\n' > .git/sequencer/opts"],
    ['words for a shell in a bisection', "echo ' $(touch pwned)' > .git/BISECT_NAMES"],
    ['a filter that runs when files are added', 'git config filter.x.clean "touch pwned"'],
    ['a program that shows differences', 'git config diff.external "touch pwned"'],
    ['a pager', 'git config core.pager "touch pwned"'],
    ['a helper for passwords', 'git config credential.helper "!touch pwned"'],
    ['a program that signs', 'git config gpg.program "touch pwned"; git config commit.gpgsign true'],
    ['attributes elsewhere', 'git config core.attributesFile attributes'],
    ['an editor', 'git config core.editor "touch pwned"'],
    ['a merge driver', 'git config merge.x.driver "touch pwned"'],
    ['a text conversion', 'git config diff.x.textconv "touch pwned"'],
    ['addresses that stand for others', 'git config url.https://example.com/evil.insteadOf https://example.com/'],
    ['a setting that includes another file under a condition', 'git config includeIf.gitdir:/.path ../evil'],
    ['a submodule that runs a program', 'git config submodule.s.update "!touch pwned"'],
    ['a hook folder in other case', 'mkdir -p s/.GIT/hooks; echo x > s/.GIT/hooks/pre-commit'],
    ['a hook folder under the short name of Windows', 'mkdir -p s/git~1/hooks; echo x > s/git~1/hooks/pre-commit'],
    ['a hook folder with a dot at its end', 'mkdir -p s/.git./hooks; echo x > s/.git./hooks/pre-commit'],
    ['a hook folder with a space at its end', 'mkdir -p "s/.git /hooks"; echo x > "s/.git /hooks/pre-commit"'],
    [
      'a hook folder with a character that macOS ignores',
      'mkdir -p s/.g\u200cit/hooks; echo x > s/.g\u200cit/hooks/pre-commit',
    ],
    ['a template of hooks', 'git config init.templateDir t'],
    [
      'a bare repository in a new folder, by git',
      'git init -q --bare b.git; git -C b.git config core.fsmonitor "touch pwned"',
    ],
    [
      'a bare repository with a hook',
      'git init -q --bare b.git; echo "touch pwned" > b.git/hooks/post-receive; chmod +x b.git/hooks/post-receive',
    ],
    ['grafts', 'mkdir -p .git/info; echo x > .git/info/grafts'],
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

test('commands that only look at a repository change nothing in it, not even what git remembers of the files', async () => {
  const host = await exampleHost({ home: temporaryFolder() })
  fillRepository(host.workspace)
  utimesSync(join(host.workspace, 'a.txt'), 1, 1)
  for (const command of ['git status', 'git describe --always --dirty', 'git diff --stat']) {
    const looked = await host.call('shell', { command }, { decision: 'allow' })
    expect(looked, command).toMatchObject({ ok: true, data: { exitCode: 0 } })
    expect(looked.text, command).not.toContain('[changed')
  }
  expect(await host.undoable()).toEqual([])
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
