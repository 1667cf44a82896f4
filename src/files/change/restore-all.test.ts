import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs'
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
  const kept = { type: 'file', mode: 0o640, bytes: Buffer.from('old') } as const
  const restore = () => files.restoreAll(paths.slice(0, COUNT).map((path) => ({ path, kept })))
  return { workspace, place, records, removed, remove, restore }
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

/** The content, mode, owner and group of each file that was restored, without repetition. */
function lookAtAll(folder: string): string[] {
  const facts = readdirSync(folder).map((name) => {
    const path = join(folder, name)
    const { mode, uid, gid } = statSync(path)
    return `${readFileSync(path, 'utf8')} ${(mode & 0o7777).toString(8)} ${uid} ${gid}`
  })
  return [...new Set(facts)]
}

const { uid: OWN, gid: GROUP } = statSync(mkdtempSync(join(tmpdir(), 'haft-own-')))

test('changed files are written outside the workspace and renamed into place: no other name appears beside them', async () => {
  const { workspace, place, restore } = openFolder()
  const folder = join(workspace, 'new')
  const names = new Set<string | null>()
  const watcher = watch(folder, (_, name) => names.add(name))
  expect(restore()).toEqual([])
  await expect.poll(() => names.size).toBe(COUNT)
  watcher.close()
  expect(lookAtAll(folder)).toEqual([`old 640 ${OWN} ${GROUP}`])
  // What was replaced is there, to be deleted later.
  expect(readdirSync(place)).toHaveLength(COUNT)
})

test('where nothing can be moved aside changed files are written beside themselves', () => {
  const { workspace, restore } = openFolder(undefined, false)
  expect(restore()).toEqual([])
  expect(lookAtAll(join(workspace, 'new'))).toEqual([`old 640 ${OWN} ${GROUP}`])
})

test.runIf(OWN === 0).for([true, false])('restored files keep the owner of what they replace, moved: %s', (canMove) => {
  const { workspace, restore } = openFolder(undefined, canMove)
  for (let file = 0; file < COUNT; file++) chownSync(join(workspace, `new/${file}`), 65_534, 65_534)
  restore()
  expect(lookAtAll(join(workspace, 'new'))).toEqual(['old 640 65534 65534'])
})

test.runIf(OWN === 0)('files that come back belong to the owner of their folder, and to its group', () => {
  const { workspace, remove, restore } = openFolder()
  remove()
  const folder = join(workspace, 'new')
  mkdirSync(folder)
  chownSync(folder, 65_534, 65_533)
  chmodSync(folder, 0o2755)
  restore()
  expect(lookAtAll(folder)).toEqual(['old 640 65534 65533'])
})
