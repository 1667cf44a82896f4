import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { digestEntries, readEntries } from './digest-folder.ts'

test('a digest differs for another content, name or file, and not for another time or a file that does not count', () => {
  const folder = temporaryFolder()
  const digest = () => digestEntries(readEntries(folder, /\.py$/) ?? [])
  expect(readEntries(join(folder, 'nowhere'), /\.py$/)).toBeUndefined()
  const seen = new Set([digest()])
  const file = join(folder, 'a.py')
  const differs = (act: () => void) => {
    act()
    expect(seen).not.toContain(digest())
    seen.add(digest())
  }
  differs(() => writeFileSync(file, '1'))
  differs(() => writeFileSync(file, '2'))
  differs(() => mkdirSync(join(folder, 'b.py')))
  differs(() => writeFileSync(join(folder, 'c.py'), ''))
  const before = digest()
  utimesSync(file, 1, 1)
  writeFileSync(join(folder, 'a.ts'), '1')
  expect(digest()).toBe(before)
  rmSync(join(folder, 'c.py'))
  expect(digest()).not.toBe(before)
})
