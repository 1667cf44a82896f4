import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exampleHost } from '../support/example-host.ts'
import { describeTree } from '../support/trees.ts'

test.for([
  ['new files and folders', 'echo new > n; mkdir -p p/q; echo deep > p/q/r; ln -s n l'],
  ['changed files', 'echo more >> a.txt; : > src/main.py; chmod 755 a.txt'],
  ['deleted files and folders', 'rm a.txt link; rm -r src'],
  ['renames', 'mv a.txt c.txt; mv src lib'],
  ['a folder made again', 'rm -r src; mkdir src; echo other > src/other'],
  ['a file in place of a folder', 'rm -r src; echo file > src'],
  ['a folder in place of a file', 'rm a.txt; mkdir a.txt; echo in > a.txt/in'],
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
  const undone = await host.undo(host.undoable(), { decision: 'allow' })
  expect(undone, undone.text).toMatchObject({ ok: true })
  expect(describeTree(host.workspace)).toEqual(before)
})

test('what a command changed and somebody changed since is not undone over their heads', async () => {
  const host = await exampleHost()
  writeFileSync(join(host.workspace, 'a.txt'), 'one\n')
  await host.call('run_code', { language: 'bash', code: 'echo two > a.txt; echo x > b.txt' })
  writeFileSync(join(host.workspace, 'a.txt'), 'mine\n')
  const undone = await host.undo(host.undoable(), { decision: 'allow' })
  expect(undone).toMatchObject({ ok: false, code: 'CONFLICT' })
  expect(describeTree(host.workspace)).toMatchObject({
    'a.txt': expect.stringContaining('mine'),
    'b.txt': expect.any(String),
  })
})
