import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ToolError } from '../../src/core/call/result.ts'
import type { Replaced } from '../../src/core/ports/files.ts'
import { createFiles } from '../../src/files/files.ts'
import { setStage } from '../support/path-stage.ts'
import { startSwapper } from '../support/swapper.ts'

const { signal } = new AbortController()
const TRIES = 20_000

/** Tries until it was done often enough; what is refused must be refused by the door, with words. */
function tryOften(attempt: () => void): { worked: number; refused: number } {
  const seen = { worked: 0, refused: 0 }
  for (let turn = 0; turn < TRIES; turn++) {
    try {
      attempt()
      seen.worked++
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
      seen.refused++
    }
  }
  return seen
}

test('a folder swapped for a link leaks none of 20,000 reads', async () => {
  using stage = await setStage()
  writeFileSync(join(stage.outside, 'f'), 'CANARY')
  const files = createFiles({ workspace: stage.workspace, replaced: () => undefined }).looking()
  await using _swapper = await startSwapper(join(stage.workspace, 'd'), stage.outside)
  const read = new Set<string>()
  const seen = tryOften(() => read.add(Buffer.from(files.read('d/f', 100).bytes).toString()))
  expect([...read]).toEqual(['real'])
  expect(seen.refused).toBeGreaterThan(0)
})

test('a folder swapped for a link lets none of 20,000 writes out', async () => {
  using stage = await setStage()
  writeFileSync(join(stage.outside, 'f'), 'CANARY')
  const before = stage.outsideNow()
  const replaced: Replaced[] = []
  const door = createFiles({ workspace: stage.workspace, replaced: (record) => replaced.push(record) })
  const files = door.forCall({ id: 'c', expects: {}, signal })
  {
    await using _swapper = await startSwapper(join(stage.workspace, 'd'), stage.outside)
    const seen = tryOften(() => files.write('d/f', Buffer.from('ours'), { createParents: false }))
    expect(seen.worked).toBeGreaterThan(0)
    expect(seen.refused).toBeGreaterThan(0)
  }
  expect(stage.outsideNow()).toBe(before)
  const kept = replaced.map(({ before: was }) => (was?.type === 'file' ? Buffer.from(was.bytes ?? []).toString() : ''))
  expect(new Set(kept)).toEqual(new Set(['real', 'ours']))
})

test('a folder swapped for a link shows no search and no listing what lies outside', async () => {
  using stage = await setStage()
  writeFileSync(join(stage.outside, 'f'), 'CANARY')
  const files = createFiles({ workspace: stage.workspace, replaced: () => undefined }).looking()
  await using _swapper = await startSwapper(join(stage.workspace, 'd'), stage.outside)
  const [found, listed] = [new Set<string>(), new Set<string>()]
  for (let turn = 0; turn < 150; turn++) {
    await files.search({ pattern: 'CANARY', path: '.', limit: 10, signal }, (hits) => {
      for (const { path } of hits) found.add(path)
    })
    for (const { name } of (await files.walk('.', { limit: 1_000 })).entries) listed.add(name)
  }
  expect([...found, ...[...listed].filter((name) => name.includes('secret'))]).toEqual([])
  expect(listed).toContain('d/f')
})
