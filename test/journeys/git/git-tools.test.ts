import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exampleHost } from '../../support/example-host.ts'
import { git, makeRepository, writeFiles } from '../../support/git.ts'

async function openRepository() {
  const host = await exampleHost()
  makeRepository(host.workspace, { 'a.txt': 'one\ntwo\n', 'src/b c.txt': 'b\n', 'old.txt': 'same\nsame\nsame\n' })
  return host
}

test('S1.13 S3.6 git_status gives branch, staged, changed, renamed and untracked files, without asking', async () => {
  const host = await openRepository()
  writeFiles(host.workspace, { 'a.txt': 'one\n2\n', 'new file.txt': 'n', 'staged.txt': 's' })
  git(host.workspace, 'add', 'staged.txt')
  git(host.workspace, 'mv', 'old.txt', 'moved.txt')
  rmSync(join(host.workspace, 'src/b c.txt'))
  const result = await host.call('git_status', {})
  expect(result).toMatchObject({
    ok: true,
    data: {
      branch: 'main',
      commit: git(host.workspace, 'rev-parse', 'HEAD'),
      files: expect.arrayContaining([
        { path: 'a.txt', unstaged: 'changed' },
        { path: 'staged.txt', staged: 'added' },
        { path: 'moved.txt', from: 'old.txt', staged: 'renamed' },
        { path: 'src/b c.txt', unstaged: 'deleted' },
        { path: 'new file.txt', unstaged: 'untracked' },
      ]),
    },
  })
  expect(result.text).toBe(
    'On branch main\nStaged:\n  renamed old.txt → moved.txt\n  added staged.txt\nNot staged:\n  changed a.txt\n  deleted src/b c.txt\nUntracked:\n  new file.txt',
  )
})

test('git_status of a repository in a folder below, of a new one and of none', async () => {
  const host = await exampleHost()
  const none = await host.call('git_status', {})
  expect(none).toMatchObject({ ok: false, code: 'EXECUTION_ERROR' })
  expect(none.text).toMatch(/not a git repository.*name its folder with `repo`/s)
  for (const name of ['git_status', 'git_log', 'git_diff', 'git_branch'])
    expect(await host.call(name, { repo: 'not-there' })).toMatchObject({
      code: 'FILE_NOT_FOUND',
      text: expect.stringContaining('not-there is not a folder of the workspace'),
    })
  git(host.workspace, 'init', '-q', '-b', 'trunk')
  expect(await host.call('git_status', {})).toMatchObject({
    ok: true,
    text: expect.stringContaining('On branch trunk, no commits yet'),
  })
  makeRepository(join(host.workspace, 'lib/deep'))
  expect(await host.call('git_status', { repo: 'lib/deep' })).toMatchObject({ data: { branch: 'main', files: [] } })
})

test('git_diff shows the working tree, what is staged, and two commits, with numbers for each file', async () => {
  const host = await openRepository()
  writeFiles(host.workspace, { 'a.txt': 'one\n2\nthree\n', 'src/b c.txt': 'c\n' })
  git(host.workspace, 'add', 'src')
  const tree = await host.call('git_diff', {})
  expect(tree).toMatchObject({ data: { files: [{ path: 'a.txt', added: 2, removed: 1 }], added: 2, removed: 1 } })
  expect(tree.text).toMatch(/^1 file, \+2 -1\n\+2 -1 a\.txt\n\ndiff --git a\/a\.txt b\/a\.txt\n[\s\S]*\n\+three$/)
  expect(await host.call('git_diff', { staged: true })).toMatchObject({ data: { files: [{ path: 'src/b c.txt' }] } })
  git(host.workspace, 'mv', 'old.txt', 'moved.txt')
  git(host.workspace, 'commit', '-qam', 'Second')
  expect(await host.call('git_diff', { from: 'HEAD~1', to: 'HEAD', paths: ['old.txt', 'moved.txt'] })).toMatchObject({
    data: { files: [{ path: 'moved.txt', from: 'old.txt', added: 0, removed: 0 }] },
  })
  expect(await host.call('git_diff', {})).toMatchObject({ text: 'No changes.' })
})

test('git_diff of a huge change is cut and says so', async () => {
  const host = await openRepository()
  writeFiles(host.workspace, { 'a.txt': `${'x'.repeat(99)}\n`.repeat(30_000) })
  const result = await host.call('git_diff', {})
  expect(result).toMatchObject({ ok: true, data: { truncated: true, files: [{ path: 'a.txt', added: 30_000 }] } })
})

test('git_log lists commits newest first, filters them, and says when there are more', async () => {
  const host = await openRepository()
  for (const [file, message] of [
    ['a.txt', 'Fix rounding\n\nBy half.'],
    ['b.txt', 'Add b'],
    ['c.txt', 'Add c'],
  ] as const) {
    writeFiles(host.workspace, { [file]: message })
    git(host.workspace, 'add', '-A')
    git(host.workspace, 'commit', '-qm', message)
  }
  const log = await host.call('git_log', { maxCount: 2 })
  expect(log).toMatchObject({
    data: { more: true, commits: [{ subject: 'Add c', refs: ['HEAD -> main'] }, { subject: 'Add b' }] },
  })
  expect(log.text).toMatch(/^[0-9a-f]{10} \d{4}-\d\d-\d\d Ada: Add c \(HEAD -> main\)\n.*\n\[there are more commits/)
  expect(await host.call('git_log', { search: 'ROUNDING' })).toMatchObject({
    data: { commits: [{ subject: 'Fix rounding', body: 'By half.', author: 'Ada <ada@example.com>' }] },
  })
  expect(await host.call('git_log', { paths: ['b.txt'] })).toMatchObject({ data: { commits: [{ subject: 'Add b' }] } })
  expect(await host.call('git_log', { ref: 'nope' })).toMatchObject({ ok: false, code: 'EXECUTION_ERROR' })
})

test('git_show gives a commit with its diff, or a file as it was', async () => {
  const host = await openRepository()
  writeFiles(host.workspace, { 'a.txt': 'changed\n' })
  git(host.workspace, 'commit', '-qam', 'Second')
  const shown = await host.call('git_show', {})
  expect(shown).toMatchObject({
    data: { commit: { subject: 'Second' }, files: [{ path: 'a.txt', added: 1, removed: 2 }] },
  })
  expect(shown.text).toMatch(
    /^commit [0-9a-f]{40} \(HEAD -> main\)\nAuthor: Ada <ada@example\.com>\n[\s\S]*\n {4}Second\n\n\+1 -2 a\.txt\n\ndiff --git/,
  )
  expect(await host.call('git_show', { ref: 'HEAD~1', path: 'a.txt' })).toMatchObject({
    text: 'one\ntwo\n',
    data: { content: 'one\ntwo\n' },
  })
})

test('git_branch lists, creates, switches and deletes, and refuses to lose work', async () => {
  const host = await openRepository()
  expect(await host.call('git_branch', { action: 'create', name: 'dev' })).toMatchObject({ data: { current: 'dev' } })
  writeFiles(host.workspace, { 'a.txt': 'dev\n' })
  git(host.workspace, 'commit', '-qam', 'Dev')
  expect(await host.call('git_branch', { action: 'switch', name: 'main' })).toMatchObject({ text: 'Switched to main.' })
  expect(git(host.workspace, 'branch', '--show-current')).toBe('main')
  const list = await host.call('git_branch', {})
  expect(list).toMatchObject({
    data: {
      current: 'main',
      branches: [
        { name: 'dev', subject: 'Dev' },
        { name: 'main', subject: 'First' },
      ],
    },
  })
  expect(await host.call('git_branch', { action: 'delete', name: 'dev' })).toMatchObject({
    ok: false,
    text: expect.stringContaining('not fully merged'),
  })
  writeFiles(host.workspace, { 'a.txt': 'unsaved\n' })
  expect(await host.call('git_branch', { action: 'switch', name: 'dev' })).toMatchObject({
    ok: false,
    text: expect.stringContaining('would be overwritten'),
  })
  expect(await host.call('git_branch', { action: 'create' })).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' })
})

test('git_commit commits what is staged, some paths or everything, without asking, and can be undone', async () => {
  const host = await openRepository()
  writeFiles(host.workspace, { 'a.txt': 'x\n', 'src/b c.txt': 'y\n', 'new.txt': 'n\n' })
  expect(await host.call('git_commit', { message: 'Nothing staged' })).toMatchObject({
    ok: false,
    code: 'EXECUTION_ERROR',
  })
  const some = await host.call('git_commit', { message: 'Some\n\nWhy.', paths: ['new.txt', 'a.txt'] })
  expect(some).toMatchObject({
    ok: true,
    data: { branch: 'main', subject: 'Some', files: [{ path: 'a.txt' }, { path: 'new.txt' }] },
  })
  expect(git(host.workspace, 'status', '--porcelain')).toBe('M "src/b c.txt"')
  expect(git(host.workspace, 'log', '-1', '--format=%an <%ae>%n%B')).toBe('Ada <ada@example.com>\nSome\n\nWhy.')
  const all = await host.call('git_commit', { message: 'All', all: true })
  expect(all).toMatchObject({ ok: true, data: { files: [{ path: 'src/b c.txt', added: 1, removed: 1 }] } })
  expect(git(host.workspace, 'status', '--porcelain')).toBe('')
  await host.undo(await host.undoable(), { decision: 'allow' })
  expect(git(host.workspace, 'log', '-1', '--format=%s')).toBe('Some')
})

test('git_commit without an identity says how to set one, and commits nothing', async () => {
  const host = await exampleHost()
  git(host.workspace, 'init', '-q')
  git(host.workspace, 'config', 'user.name', '')
  writeFiles(host.workspace, { 'a.txt': 'x\n' })
  const result = await host.call('git_commit', { message: 'x', all: true })
  expect(result).toMatchObject({ ok: false, code: 'EXECUTION_ERROR' })
  expect(result.text).toContain('Set user.name and user.email with git config')
})

test.for([
  ['git_log', { ref: '--output=x' }],
  ['git_show', { ref: '--output=x' }],
  ['git_diff', { from: '--output=x' }],
  ['git_diff', { from: 'HEAD', to: '--stat' }],
  ['git_branch', { action: 'create', name: '-D' }],
  ['git_branch', { action: 'create', name: 'x', from: '--track' }],
  ['git_push', { remote: '--receive-pack=touch pwned' }],
  ['git_push', { branch: 'main', to: ':main' }],
] as const)('a name that git would read as an option is refused: %s %o', async ([tool, input]) => {
  const host = await openRepository()
  const result = await host.call(tool, input, { decision: 'allow' })
  expect(result).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' })
})

test('a rule on a command of git counts for the tool too, and planning may look', async () => {
  const host = await openRepository()
  host.addRule({ name: 'no_history', decision: 'deny', reason: 'private', prefixes: [['git', 'log']] })
  expect(await host.call('git_log', {})).toMatchObject({ ok: false, code: 'BLOCKED' })
  expect(await host.call('git_status', {}, { mode: 'plan' })).toMatchObject({ ok: true })
  expect(await host.call('git_commit', { message: 'x', all: true }, { mode: 'plan' })).toMatchObject({
    ok: false,
    code: 'BLOCKED',
  })
})
