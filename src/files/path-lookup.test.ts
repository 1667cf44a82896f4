import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { createPathLookup } from './path-lookup.ts'

function makeWorkspace() {
  const folder = temporaryFolder()
  const workspace = join(folder, 'workspace')
  mkdirSync(join(workspace, 'dir'), { recursive: true })
  writeFileSync(join(workspace, 'a.txt'), '')
  writeFileSync(join(folder, 'outside.txt'), '')
  symlinkSync('nowhere', join(workspace, 'link'))
  return { folder, workspace, lookup: createPathLookup(workspace) }
}

it('tells files, folders, links and nothing apart', () => {
  const { workspace, lookup } = makeWorkspace()
  const kinds = ['a.txt', 'dir', 'link', 'missing', 'a.txt/below', '.'].map((path) =>
    lookup.kindOf(join(workspace, path)),
  )
  expect(kinds).toEqual(['file', 'folder', 'file', 'none', 'none', 'folder'])
})

it('looks at nothing outside the workspace', () => {
  const { folder, lookup } = makeWorkspace()
  expect(lookup.kindOf(join(folder, 'outside.txt'))).toBe('unknown')
  expect(lookup.findBelow(folder, () => true)).toBe('unknown')
})

it('finds what matches below a folder, and gives up after a thousand entries', () => {
  const { workspace, lookup } = makeWorkspace()
  mkdirSync(join(workspace, 'dir/deep'))
  writeFileSync(join(workspace, 'dir/deep/b.ts'), '')
  expect(lookup.findBelow(workspace, (path) => path.endsWith('.ts'))).toBe('file')
  expect(lookup.findBelow(workspace, (path) => path.endsWith('.js'))).toBe('none')
  expect(lookup.findBelow(join(workspace, 'missing'), () => true)).toBe('none')
  for (let index = 0; index < 1_001; index++) writeFileSync(join(workspace, `dir/${index}`), '')
  expect(lookup.findBelow(workspace, (path) => path.endsWith('.js'))).toBe('unknown')
})
