import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { findInstructions } from './find-instructions.ts'

/** A home and a workspace two folders below the root of a repository. */
function layOut(files: Readonly<Record<string, string>>) {
  const root = temporaryFolder()
  const workspace = join(root, 'repository/packages/one')
  for (const folder of [workspace, join(root, 'home'), join(root, 'repository/.git')])
    mkdirSync(folder, { recursive: true })
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text)
  return findInstructions(workspace, join(root, 'home')).map(({ path, text }) => [path.slice(root.length + 1), text])
}

test('finds AGENTS.md of the person, of the folders above up to the repository, and of the project, in this order', () => {
  const found = layOut({
    'AGENTS.md': 'outside the repository',
    'home/AGENTS.md': 'of the person',
    'repository/AGENTS.md': 'of the repository',
    'repository/packages/AGENTS.md': 'of the packages',
    'repository/packages/one/AGENTS.md': 'of the project',
  })
  expect(found).toEqual([
    ['home/AGENTS.md', 'of the person'],
    ['repository/AGENTS.md', 'of the repository'],
    ['repository/packages/AGENTS.md', 'of the packages'],
    ['repository/packages/one/AGENTS.md', 'of the project'],
  ])
})

test('takes CLAUDE.md only in a folder without AGENTS.md', () => {
  const found = layOut({
    'home/CLAUDE.md': 'of the person',
    'repository/AGENTS.md': 'first',
    'repository/CLAUDE.md': 'not read',
    'repository/packages/one/CLAUDE.md': 'of the project',
  })
  expect(found.map(([path]) => path)).toEqual([
    'home/CLAUDE.md',
    'repository/AGENTS.md',
    'repository/packages/one/CLAUDE.md',
  ])
})

test('a very long file is cut, and says so', () => {
  const [[, text = ''] = []] = layOut({ 'home/AGENTS.md': 'x'.repeat(100_000) })
  expect(text.length).toBeLessThan(31_000)
  expect(text).toContain('[The rest of this file was left out.]')
})
