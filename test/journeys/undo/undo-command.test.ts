import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exampleHost } from '../../support/example-host.ts'
import { describeTree } from '../../support/trees.ts'

test.for([
  ['new files and folders', 'echo new > n; mkdir -p p/q; echo deep > p/q/r; ln -s n l'],
  ['changed files', 'echo more >> a.txt; : > src/main.py; chmod 755 a.txt'],
  ['deleted files and folders', 'rm a.txt link; rm -r src'],
  ['renames', 'mv a.txt c.txt; mv src lib'],
  ['a folder made again', 'rm -r src; mkdir src; echo other > src/other'],
  ['a file in place of a folder', 'rm -r src; echo file > src'],
  ['a folder in place of a file', 'rm a.txt; mkdir a.txt; echo in > a.txt/in'],
  ['modes of folders', 'chmod 700 src; chmod 750 src/deep; echo in > src/new'],
  ['a mode of a folder and what is in it', 'echo x > src/main.py; rm -r src/deep; chmod 711 src'],
  ['a new repository', 'git init -q . && git add . && git -c user.name=n -c user.email=e commit -qm one'],
  ['a new repository in a folder', 'git init -q src && git init -q new'],
  ['a folder in place of a link', 'rm link; mkdir link; echo in > link/main.py'],
] as const)('a command is undone like an edit: %s', async ([, code]) => {
  const host = await exampleHost()
  mkdirSync(join(host.workspace, 'src/deep'), { recursive: true })
  writeFileSync(join(host.workspace, 'a.txt'), 'one\n')
  writeFileSync(join(host.workspace, 'src/main.py'), 'print(1)\n')
  writeFileSync(join(host.workspace, 'src/deep/data'), Buffer.alloc(100_000, 7))
  symlinkSync('src', join(host.workspace, 'link'))
  const before = describeTree(host.workspace)
  expect(await host.call('run_code', { language: 'bash', code })).toMatchObject({ ok: true, data: { exitCode: 0 } })
  expect(describeTree(host.workspace)).not.toEqual(before)
  const undone = await host.undo(await host.undoable(), { decision: 'allow' })
  expect(undone, undone.text).toMatchObject({ ok: true })
  expect(describeTree(host.workspace)).toEqual(before)
})

test('what a command changed and somebody changed since is not undone over their heads', async () => {
  const host = await exampleHost()
  writeFileSync(join(host.workspace, 'a.txt'), 'one\n')
  await host.call('run_code', { language: 'bash', code: 'echo two > a.txt; echo x > b.txt' })
  writeFileSync(join(host.workspace, 'a.txt'), 'mine\n')
  const undone = await host.undo(await host.undoable(), { decision: 'allow' })
  expect(undone).toMatchObject({ ok: false, code: 'CONFLICT' })
  expect(describeTree(host.workspace)).toMatchObject({
    'a.txt': expect.stringContaining('mine'),
    'b.txt': expect.any(String),
  })
})

test('a repository that was used since it was made is not taken away', async () => {
  const host = await exampleHost()
  writeFileSync(join(host.workspace, 'a.txt'), 'one\n')
  await host.call('run_code', { language: 'bash', code: 'git init -q .' })
  const made = await host.undoable()
  await host.call('run_code', { language: 'bash', code: 'git add a.txt' })
  const before = describeTree(host.workspace)
  expect(await host.undo(made, { decision: 'allow' })).toMatchObject({
    ok: false,
    code: 'CONFLICT',
    text: expect.stringContaining('.git was used since then'),
  })
  expect(describeTree(host.workspace)).toEqual(before)
})

test('a hook that somebody put into the new repository stays, and with it the repository', async () => {
  const host = await exampleHost()
  await host.call('run_code', { language: 'bash', code: 'git init -q .' })
  writeFileSync(join(host.workspace, '.git/hooks/pre-commit'), 'exit 1\n')
  const before = describeTree(host.workspace)
  expect(await host.undo(await host.undoable(), { decision: 'allow' })).toMatchObject({ ok: false, code: 'CONFLICT' })
  expect(describeTree(host.workspace)).toEqual(before)
})

test('settings of the new repository that make git run something are nobody’s to take away', async () => {
  const host = await exampleHost()
  await host.call('run_code', { language: 'bash', code: 'git init -q .' })
  writeFileSync(join(host.workspace, '.git/config'), '[core]\n\tsshCommand = mine\n')
  const before = describeTree(host.workspace)
  for (const force of [false, true])
    expect(await host.undo(await host.undoable(), { decision: 'allow', force })).toMatchObject({ ok: false })
  expect(describeTree(host.workspace)).toEqual(before)
})

test('an undone mode of a folder can be had back', async () => {
  const host = await exampleHost()
  mkdirSync(join(host.workspace, 'src'), { mode: 0o755 })
  await host.call('run_code', { language: 'bash', code: 'chmod 700 src' })
  const changed = describeTree(host.workspace)
  await host.undo(await host.undoable(), { decision: 'allow' })
  expect(describeTree(host.workspace)).toEqual({ src: 'folder 755' })
  const [undo] = await host.log.calls({ tool: 'undo', limit: 1 })
  expect(await host.undo([undo?.call ?? ''], { decision: 'allow' })).toMatchObject({ ok: true })
  expect(describeTree(host.workspace)).toEqual(changed)
})
