import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Replaced } from '../../core/ports/files.ts'
import { createFiles } from '../files.ts'

const COUNT = 300

/** A workspace with one folder of many files, and what removes them as undo does. */
function openFolder(replacedAll: (folder: string) => void = () => undefined, canMove = true) {
  const base = mkdtempSync(join(tmpdir(), 'haft-restore-'))
  const [workspace, place] = [join(base, 'workspace'), join(base, 'place')]
  mkdirSync(join(workspace, 'new'), { recursive: true })
  for (let file = 0; file < COUNT; file++) writeFileSync(join(workspace, `new/${file}`), `${file}`)
  const records: Replaced[] = []
  const removed: string[] = []
  const make = () => {
    if (!canMove) return undefined
    mkdirSync(place)
    return place
  }
  const files = createFiles({
    workspace,
    replaced: (record) => void records.push(record),
    replacedAll: (all) => {
      records.push(...all)
      replacedAll(join(workspace, 'new'))
    },
    aside: { make, remove: (path) => void removed.push(path) },
  }).forCall({ id: 'call', expects: {}, signal: new AbortController().signal })
  const paths = [...Array.from({ length: COUNT }, (_, file) => `new/${file}`), 'new']
  const remove = () => files.restoreAll(paths.map((path) => ({ path, kept: null })))
  return { workspace, place, records, removed, remove }
}

test('a folder that undo removes is moved aside with its files, each of which was recorded with its content', () => {
  const { workspace, place, records, removed, remove } = openFolder()
  expect(remove()).toEqual([])
  expect(readdirSync(workspace)).toEqual([])
  expect(readdirSync(place)).toHaveLength(1)
  expect(removed).toEqual([place])
  expect(records).toHaveLength(COUNT + 1)
  const [first] = records
  expect(first?.before?.type === 'file' && Buffer.from(first.before.bytes ?? []).toString()).toBe('0')
})

test('where nothing can be moved aside the files are removed one by one', () => {
  const { workspace, removed, remove } = openFolder(undefined, false)
  expect(remove()).toEqual([])
  expect(readdirSync(workspace)).toEqual([])
  expect(removed).toEqual([])
})

test('a file that is gone from the folder meanwhile is a conflict', () => {
  const { workspace, remove } = openFolder((folder) => rmSync(join(folder, '7')))
  expect(remove).toThrow(/was changed while it was restored/)
  expect(readdirSync(join(workspace, 'new'))).toHaveLength(COUNT - 1)
})

test.for<[string, (folder: string) => void]>([
  ['a new file', (folder) => writeFileSync(join(folder, 'theirs'), 'theirs')],
  ['a changed file', (folder) => writeFileSync(join(folder, '7'), 'theirs')],
])('%s that appears in the folder meanwhile is a conflict, and stays', ([, change]) => {
  const { workspace, remove } = openFolder(change)
  expect(remove).toThrow(/was changed while it was restored/)
  const folder = join(workspace, 'new')
  expect(existsSync(folder) && readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))).toContain(
    'theirs',
  )
})
