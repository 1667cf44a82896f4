import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isGone } from '../../../src/sandbox/limits/process-tree.ts'
import { listRunsFolders } from '../../../src/sandbox/overlay/run-folder.ts'
import { untilApplying } from '../../support/applying.ts'
import { temporaryFolder } from '../../support/example-host.ts'
import { eventually, findExactly, findProcesses } from '../../support/processes.ts'
import { openProject, runBare, SCRIPTS } from '../../support/projects.ts'
import { RAW_ERROR } from '../../support/raw-errors.ts'
import { openSandboxAs, USERS } from '../../support/sandbox-users.ts'
import { describeTree } from '../../support/trees.ts'

function runsFolderOf(home: string, workspace: string): string {
  return listRunsFolders(home, workspace)[0] ?? ''
}

/** What other programs execute or trust; each was found applied without a question, or is a relative of one that was. */
const TRUSTED = [
  ...['.github/workflows/ci.yml', '.github/actions/a/action.yml', '.vscode/tasks.json', '.envrc', 'sub/.npmrc'],
  ...[
    '.pnpmfile.cjs',
    '.yarnrc.yml',
    '.yarn/releases/yarn.cjs',
    '.cargo/config.toml',
    '.devcontainer/devcontainer.json',
  ],
  ...['.gitlab-ci.yml', '.circleci/config.yml', '.pre-commit-config.yaml', '.gitattributes', '.gitmodules'],
  ...['.tool-versions', '.hg/hgrc', 'mise.toml', 'lefthook.yml', 'a.code-workspace', '.exrc', 'sub/.dir-locals.el'],
]

describe.for(USERS)('commands of %s are all or nothing', (user) => {
  test.for(SCRIPTS)('%s: the same tree as running it without a sandbox', async ([, script]) => {
    const { bash, workspace } = openProject(user)
    const bare = runBare(script, workspace)
    const report = await bash(script)
    expect(report, JSON.stringify(report)).toMatchObject({ mode: 'overlay', ended: 'exit' })
    expect(describeTree(workspace)).toEqual(describeTree(bare))
  })

  test('its changes are reported', async () => {
    const { bash } = openProject(user)
    const report = await bash(
      'echo x > new; echo y >> a.txt; rm -r src; mkdir empty; ln -s /etc/passwd out; ln -s a.txt in',
    )
    expect(report.changed).toEqual({
      added: ['empty/', 'in', 'new', 'out'],
      changed: ['a.txt'],
      deleted: ['src'],
      leadingOut: ['out'],
    })
  })

  test('a file that was only read or opened is not a change; one that was only touched is', async () => {
    const { bash, workspace } = openProject(user)
    const report = await bash('cat a.txt >/dev/null; : >> b.txt; touch -d @86400 src/main.py')
    expect(report.changed).toEqual({ added: [], changed: ['src/main.py'], deleted: [] })
    expect(statSync(join(workspace, 'src/main.py')).mtimeMs).toBe(86_400_000)
  })

  test('ended by a limit, nothing is applied', async () => {
    const { bash, workspace } = openProject(user)
    const before = describeTree(workspace)
    expect(await bash('rm -r src; echo x > new; sleep 60', { limits: { seconds: 1 } })).toMatchObject({
      ended: 'timeout',
      mode: 'overlay',
    })
    expect(await bash('rm a.txt; yes', { limits: { output: 1000 } })).toMatchObject({ ended: 'output' })
    expect(describeTree(workspace)).toEqual(before)
  })

  test('a dry run shows changes and applies nothing', async () => {
    const { bash, workspace } = openProject(user)
    const before = describeTree(workspace)
    const report = await bash('echo x > new; rm a.txt; echo y >> b.txt; echo said', { dryRun: true })
    expect(report).toMatchObject({
      stdout: 'said\n',
      changed: { added: ['new'], changed: ['b.txt'], deleted: ['a.txt'] },
    })
    expect(describeTree(workspace)).toEqual(before)
  })

  test('a file that changed underneath is a CONFLICT, and nothing is applied', async () => {
    const { bash, workspace } = openProject(user)
    const mark = `7${Math.floor(Math.random() * 1e9)}`
    const running = bash(`echo theirs > a.txt; echo x > new; sleep ${mark}; true`)
    await eventually(() => findExactly(`sleep ${mark}`).length > 0)
    writeFileSync(join(workspace, 'a.txt'), 'ours')
    for (const pid of findExactly(`sleep ${mark}`)) process.kill(pid)
    expect(await running).toMatchObject({ failed: 'CONFLICT', message: expect.stringContaining('a.txt') })
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('ours')
    expect(existsSync(join(workspace, 'new'))).toBe(false)
  })

  test.for([
    ['while it runs', 'i=0; while true; do i=$((i+1)); head -c 4M /dev/zero | tr "\\0" x > big$i; done'],
    ['in a moment before it ends', 'for i in 1 2 3 4 5 6; do head -c 8M /dev/zero | tr "\\0" x > big$i; done'],
  ] as const)(
    'a command that writes more than it may is ended, also %s, and nothing of it is applied',
    async ([, command]) => {
      const { bash, workspace } = openProject(user)
      const before = describeTree(workspace)
      const report = await bash(command, { limits: { written: 24 * 1024 ** 2, seconds: 60 } })
      expect(report).toMatchObject({ ended: 'written' })
      expect(describeTree(workspace)).toEqual(before)
      const within = await bash('head -c 8M /dev/zero | tr "\\0" x > big', { limits: { written: 24 * 1024 ** 2 } })
      expect(within).toMatchObject({ ended: 'exit', changed: { added: ['big'] } })
    },
  )

  test('a command that writes more than it may is ended at its end, also when others free as much of the disk meanwhile', async () => {
    const { bash, workspace } = openProject(user)
    const before = describeTree(workspace)
    const other = join(temporaryFolder(), 'other')
    writeFileSync(other, Buffer.alloc(64 * 1024 ** 2, 'x'))
    const mark = `7${Math.floor(Math.random() * 1e9)}`
    const running = bash(`sleep ${mark}; head -c 48M /dev/zero | tr "\\0" x > big; true`, {
      limits: { written: 24 * 1024 ** 2, seconds: 60 },
    })
    await eventually(() => findExactly(`sleep ${mark}`).length > 0)
    rmSync(other)
    for (const pid of findExactly(`sleep ${mark}`)) process.kill(pid)
    expect(await running).toMatchObject({ ended: 'written' })
    expect(describeTree(workspace)).toEqual(before)
  })

  test.for([
    ['removed', 'rm -r src'],
    ['re-created', 'rm -r src; mkdir src'],
    ['replaced by another', 'mv src elsewhere; cp -r elsewhere src'],
  ] as const)(
    'a folder that is %s underneath is a CONFLICT, and what the command wrote there is not lost silently',
    async ([, other]) => {
      const { bash, workspace } = openProject(user)
      const mark = `7${Math.floor(Math.random() * 1e9)}`
      const running = bash(`cd src; ls > /dev/null; sleep ${mark}; echo theirs > new.txt; true`)
      await eventually(() => findExactly(`sleep ${mark}`).length > 0)
      execFileSync('sh', ['-c', other], { cwd: workspace })
      const before = describeTree(workspace)
      for (const pid of findExactly(`sleep ${mark}`)) process.kill(pid)
      expect(await running).toMatchObject({ failed: 'CONFLICT' })
      expect(describeTree(workspace)).toEqual(before)
    },
  )

  test.for([
    ['a hook', 'echo "echo pwned" > .git/hooks/pre-commit'],
    ['the configuration of git', 'git config core.fsmonitor "touch pwned"'],
    ['Haft’s own folder', 'mkdir -p .haft/tools; echo x > .haft/tools/a.js'],
    ['the repository renamed away', 'mv .git old; cp -r old .git; echo x > .git/hooks/post-checkout'],
    ['another place for git to read', 'echo ../evil > .git/commondir'],
    ['a repository in a folder with a hook', 'git init -q sub; echo x > sub/.git/hooks/pre-commit'],
    ['a repository in a folder that runs a program', 'git init -q sub; git -C sub config core.sshCommand ./evil'],
    [
      'a repository in a folder whose hooks are a link',
      'git init -q sub; rm -r sub/.git/hooks; mkdir evil; ln -s ../../evil sub/.git/hooks',
    ],
    ['a repository in a folder whose template hook is a folder', 'git init -q sub; mkdir -p sub/.git/hooks/a.sample/b'],
    ['a name that is not UTF-8', "touch $'bad\\xff'"],
    [
      'a path longer than the system takes',
      `for i in {1..50}; do mkdir ${'d'.repeat(99)} && cd ${'d'.repeat(99)}; done`,
    ],
  ] as const)('%s refuses the whole run', async ([, command]) => {
    const { bash, workspace, home, own } = openProject(user)
    execFileSync('git', ['init', '-q', workspace])
    own()
    const before = describeTree(workspace)
    const report = await bash(`echo other > other; echo what it printed; ${command}; true`)
    expect(report.failed, JSON.stringify(report)).toMatch(/^(BLOCKED|EXECUTION_ERROR|INVALID_PATH)$/)
    expect(report.message).toContain('None of its changes were applied')
    expect(report.message).toContain('It had printed:\nwhat it printed')
    expect(report.message).not.toMatch(RAW_ERROR)
    expect(report.message).not.toContain(home)
    expect(describeTree(workspace)).toEqual(before)
  })

  test.for([
    ['a fifo', 'mkfifo pipe', { leftOut: ['pipe'] }],
    ['a fifo in a new folder', 'mkdir -p d/e; mkfifo d/e/pipe', { added: ['d/e/', 'other'], leftOut: ['d/e/pipe'] }],
    ['a fifo in the place of a file', 'rm a.txt; mkfifo a.txt', { deleted: ['a.txt'], leftOut: ['a.txt'] }],
    ['a fifo that is gone at the end', 'mkfifo pipe; echo x > pipe & cat pipe; rm pipe', {}],
  ] as const)('%s is left out of what is applied, and the report says so', async ([, command, changed]) => {
    const { bash, workspace } = openProject(user)
    const report = await bash(`echo other > other; ${command}; echo hello`)
    expect(report).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/hello\n$/) })
    expect(report.changed).toEqual({ added: ['other'], changed: [], deleted: [], ...changed })
    expect(readFileSync(join(workspace, 'other'), 'utf8')).toBe('other\n')
    for (const path of report.changed?.leftOut ?? []) expect(existsSync(join(workspace, path))).toBe(false)
  })

  test('a fifo that was there before is neither read nor changed', async () => {
    const { bash, workspace, own } = openProject(user)
    execFileSync('mkfifo', ['-m', '644', join(workspace, 'pipe')])
    own()
    const ended = await bash('chmod 600 pipe; chmod 644 pipe; echo hello', { limits: { seconds: 20 } })
    expect(ended).toMatchObject({ stdout: 'hello\n', changed: { added: [], changed: [], deleted: [] } })
    expect((await bash('chmod 600 pipe')).changed).toMatchObject({ leftOut: ['pipe'] })
    expect(statSync(join(workspace, 'pipe')).mode & 0o777).toBe(0o644)
    expect(await bash('rm pipe')).toMatchObject({ failed: 'DENIED', message: expect.stringContaining('undo limit') })
    expect(existsSync(join(workspace, 'pipe'))).toBe(true)
    expect(await bash('rm pipe', { approved: true })).toMatchObject({ changed: { deleted: ['pipe'] } })
    expect(existsSync(join(workspace, 'pipe'))).toBe(false)
  })

  test('a file that its own user may not read can be deleted and replaced, when a person approves', async () => {
    const { bash, workspace, own } = openProject(user)
    for (const name of ['one', 'two']) writeFileSync(join(workspace, name), 'secret', { mode: 0 })
    own()
    const command = 'rm -f one; echo new > three; mv -f three two'
    const shown = await bash(command, { dryRun: true })
    expect(shown.diff, JSON.stringify(shown)).toMatch(
      user === 'nobody' ? /\(6 bytes, not readable → nothing\)/ : /-secret/,
    )
    const report = await bash(command, { approved: true })
    expect(report, JSON.stringify(report)).toMatchObject({ changed: { deleted: ['one'], changed: ['two'] } })
    expect(readFileSync(join(workspace, 'two'), 'utf8')).toBe('new\n')
  })

  test('work with git goes on: a new repository, commits and branches', async () => {
    const { bash, workspace } = openProject(user)
    const commit = 'git add -A && git -c user.name=n -c user.email=e@x commit -qm'
    expect(await bash(`git init -q && ${commit} one`)).toMatchObject({ exitCode: 0, stderr: '' })
    expect(
      await bash(`echo more >> a.txt && git checkout -qb side && ${commit} two && git log --oneline | wc -l`),
    ).toMatchObject({
      exitCode: 0,
      stdout: '2\n',
    })
    expect(existsSync(join(workspace, '.git/refs/heads/side'))).toBe(true)
  })

  test.for(TRUSTED)('%s, which other programs trust, is not applied without a person', async (path) => {
    const { bash, workspace } = openProject(user)
    const report = await bash(`mkdir -p "$(dirname ${path})"; echo x > ${path}; echo y > other; echo what it printed`)
    expect(report).toMatchObject({ failed: 'DENIED', message: expect.stringContaining(path) })
    expect(report.message).toContain('It had printed:\nwhat it printed')
    expect(existsSync(join(workspace, 'other'))).toBe(false)
  })

  test('an empty folder is not a file: mkdir -p .github/workflows asks nobody', async () => {
    const { bash, workspace } = openProject(user)
    expect(await bash('mkdir -p .github/workflows .vscode')).toMatchObject({ exitCode: 0, changed: {} })
    expect(existsSync(join(workspace, '.github/workflows'))).toBe(true)
  })

  test('setuid, setgid and sticky bits are removed when changes are applied', async () => {
    const { bash, workspace, own } = openProject(user)
    mkdirSync(join(workspace, 'shared'))
    own()
    chmodSync(join(workspace, 'shared'), 0o2755)
    const report = await bash(
      'cp /bin/true s; chmod 6755 s a.txt; mkdir d; chmod 3777 d; cp s d/t; chmod 4711 d/t; chmod 0000 s; chmod 6000 s; chmod 7700 shared',
    )
    expect(report).toMatchObject({ exitCode: 0 })
    const modeOf = (path: string) => (statSync(join(workspace, path)).mode & 0o7777).toString(8)
    expect(['s', 'a.txt', 'd', 'd/t', 'shared'].map(modeOf)).toEqual(['0', '755', '777', '711', '2700'])
  })

  test('git mv of a folder works, or is discarded and says what to do', async () => {
    const { bash, workspace, own } = openProject(user)
    execFileSync('git', ['init', '-q', workspace])
    execFileSync('git', ['-c', 'safe.directory=*', '-C', workspace, 'add', '-A'])
    own()
    const report = await bash('echo x > other; git mv src lib')
    if (report.failed === undefined) expect(existsSync(join(workspace, 'lib/main.py'))).toBe(true)
    else {
      expect(report.message).toContain('None of its changes were applied')
      expect(existsSync(join(workspace, 'other'))).toBe(false)
    }
  })

  test('links in the workspace are not followed out of it when changes are applied', async () => {
    const { bash, workspace } = openProject(user)
    const outside = temporaryFolder()
    writeFileSync(join(outside, 'file'), 'safe')
    const report = await bash(
      `ln -s ${outside}/file link; echo bad > link; rm -r src; ln -s ${outside} src; echo bad > src/file; true`,
    )
    expect(report.changed?.leadingOut).toEqual(['link', 'src'])
    expect(readdirSync(outside)).toEqual(['file'])
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('safe')
    expect(describeTree(workspace).src).toBe(`link ${outside}`)
  })

  test('in direct mode the same paths are read-only, and what was made to guard them is gone', async () => {
    const { bash, workspace, own } = openProject(user)
    const bare = await bash('git init; mkdir .haft/x; echo y > plain', { direct: true })
    expect(bare.mode).toBe('direct')
    expect(readdirSync(workspace).sort()).toEqual(['a.txt', 'b.txt', 'plain', 'src'])
    execFileSync('git', ['init', '-q', workspace])
    own()
    await bash(
      'echo x > .git/hooks/pre-commit; git config a.b c; mv .git gone; mkdir .haft; echo x > .haft/a; git add plain',
      { direct: true },
    )
    expect(existsSync(join(workspace, '.git/hooks/pre-commit'))).toBe(false)
    expect(readFileSync(join(workspace, '.git/config'), 'utf8')).not.toContain('[a]')
    expect(existsSync(join(workspace, '.haft'))).toBe(false)
    expect(existsSync(join(workspace, '.git/index'))).toBe(true)
  })

  test('in direct mode nested repositories are guarded too, and what cannot be is named', async () => {
    const { bash, workspace, own } = openProject(user)
    for (const folder of ['.', 'src/nested']) execFileSync('git', ['init', '-q', join(workspace, folder)])
    writeFileSync(join(workspace, 'src/nested/.git/commondir'), '.')
    writeFileSync(join(workspace, 'src/deep/.git'), 'gitdir: ../nested/.git')
    own()
    const before = describeTree(workspace)
    const attempts = [
      'echo x > src/nested/.git/hooks/pre-commit',
      'echo x >> src/nested/.git/config',
      'echo x > src/nested/.git/config.worktree',
      'echo evil > src/nested/.git/commondir',
      'mv src/nested/.git src/gone',
      'echo gitdir: evil > src/deep/.git',
      'rm src/deep/.git',
      'mkdir .git/modules/a',
      'mkdir .git/worktrees/a',
      'mv src/nested other; echo x > other/.git/hooks/pre-push; mv other src/nested',
    ]
    const report = await bash(`${attempts.map((attempt) => `( ${attempt} )`).join('; ')}; true`, { direct: true })
    expect(report.unguarded).toEqual(['a new .git/commondir', 'repositories that the command creates in subfolders'])
    expect(describeTree(workspace)).toEqual(before)
  })

  test('kill -9 while changes are applied: the next start leaves them wholly applied', async () => {
    const { bash, workspace, home, pid, recover } = openProject(user)
    const script =
      'mkdir -p many/deep; for i in {1..3000}; do echo $i > f$i; echo $i > many/deep/$i; done; rm -r src; echo x >> a.txt'
    const running = bash(script)
    const runs = runsFolderOf(home, workspace)
    await untilApplying(runs, running)
    process.kill(pid, 'SIGKILL')
    await eventually(() => isGone(pid))
    recover()
    const tree = describeTree(workspace)
    expect(Object.keys(tree)).toHaveLength(6004)
    expect(tree).toMatchObject({
      f1: expect.stringContaining('1\n'),
      f3000: expect.any(String),
      'many/deep/3000': expect.stringContaining('3000\n'),
      'a.txt': expect.stringContaining('x\n'),
    })
    expect(existsSync(runs)).toBe(false)
  })

  test('a large new folder is applied as the command left it, without marks of the overlay, and can be removed underneath again', async () => {
    const { bash, workspace } = openProject(user)
    const script =
      'mkdir -p new/a/b new/empty; for i in {1..200}; do echo $i > new/a/b/$i; done; chmod 750 new/a; ln -s a/b new/link; mv src moved; echo x > moved/x; mkdir kept; cp a.txt kept; chmod 444 kept/a.txt'
    const bare = runBare(script, workspace)
    expect(await bash(script)).toMatchObject({ mode: 'overlay', ended: 'exit' })
    expect(describeTree(workspace)).toEqual(describeTree(bare))
    const marks =
      'import os\nfor d, _, f in os.walk("."):\n  for p in [d, *(d + "/" + n for n in f)]: print(*os.listxattr(p, follow_symlinks=False), end="")'
    expect(execFileSync('python3', ['-c', marks], { cwd: workspace, encoding: 'utf8' })).toBe('')
    expect(await bash('rm -r new; mkdir new; echo again > new/a; ls new')).toMatchObject({ stdout: 'a\n' })
    expect(readFileSync(join(workspace, 'new/a'), 'utf8')).toBe('again\n')
    const special = await bash('mkdir f; for i in {1..150}; do echo $i > f/$i; done; mkfifo f/pipe')
    expect(special.changed?.leftOut).toEqual(['f/pipe'])
    expect(readdirSync(join(workspace, 'f'))).toHaveLength(150)
  })

  test('kill -9 while the command runs: the workspace is untouched', async () => {
    const { bash, workspace, home, pid, recover } = openProject(user)
    const before = describeTree(workspace)
    const mark = `7${Math.floor(Math.random() * 1e9)}`
    void bash(`rm -r src; echo x > new; sleep ${mark}`).catch(() => undefined)
    await eventually(() => findProcesses(`sleep ${mark}`).length > 0)
    process.kill(pid, 'SIGKILL')
    await eventually(() => findProcesses(`sleep ${mark}`).length === 0)
    recover()
    expect(describeTree(workspace)).toEqual(before)
    expect(describeTree(home)).toEqual({ runs: 'folder 700' })
  })

  test('nothing is left of a run, neither folder nor mount', async () => {
    const { bash, home } = openProject(user)
    await bash('echo x > new')
    await bash('sleep 60', { limits: { seconds: 0.3 } })
    await bash('mkdir -p d/e; echo x > d/e/f; chmod 000 d/e d; sleep 60', { limits: { seconds: 0.5 } })
    await bash(`for i in {1..50}; do mkdir ${'d'.repeat(99)} && cd ${'d'.repeat(99)}; done; chmod 000 .`)
    await bash('mkfifo p')
    await eventually(() => readdirSync(join(home, 'runs')).length === 0)
    expect(describeTree(home)).toEqual({ runs: 'folder 700' })
    expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain('lowerdir=lower')
  })
})

test.runIf(process.getuid?.() === 0)('a TMPDIR that belongs to somebody else does not stop the start', () => {
  const { recover } = openSandboxAs('nobody')
  expect(() => recover({ TMPDIR: temporaryFolder() })).not.toThrow()
})

test.runIf(process.getuid?.() === 0)('root works on somebody’s workspace as that person', async () => {
  const { bash, workspace } = openSandboxAs('ourselves')
  writeFileSync(join(workspace, 'theirs'), 'x')
  execFileSync('chown', ['-R', '12345:12346', workspace])
  for (const direct of [false, true]) {
    const report = await bash(
      'id -u; echo more >> theirs; mkdir -p made/in; echo new > made/in/file; python3 -c "print(1)"',
      { direct },
    )
    expect(report).toMatchObject({ stdout: '12345\n1\n', stderr: '', exitCode: 0 })
    for (const path of ['theirs', 'made', 'made/in', 'made/in/file'])
      expect(statSync(join(workspace, path)), path).toMatchObject({ uid: 12345, gid: 12346 })
    execFileSync('rm', ['-r', join(workspace, 'made')])
  }
})
