import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ToolError } from '../../src/core/call/result.ts'
import type { Replaced } from '../../src/core/ports/files.ts'
import { createFiles } from '../../src/files/files.ts'
import { setStage } from '../support/path-fixture.ts'
import { startSwapper } from '../support/swapper.ts'

const { signal } = new AbortController()
const TRIES = 20_000

/** Repeats an attempt; every refusal must be a ToolError of the guarded access. */
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
  using fixture = await setStage()
  writeFileSync(join(fixture.outside, 'f'), 'CANARY')
  const files = createFiles({ workspace: fixture.workspace, replaced: () => undefined }).looking()
  await using _swapper = await startSwapper(join(fixture.workspace, 'd'), fixture.outside)
  const read = new Set<string>()
  const seen = tryOften(() => read.add(Buffer.from(files.read('d/f', 100).bytes).toString()))
  expect([...read]).toEqual(['real'])
  expect(seen.refused).toBeGreaterThan(0)
})

test('a folder swapped for a link lets none of 20,000 writes out', async () => {
  using fixture = await setStage()
  writeFileSync(join(fixture.outside, 'f'), 'CANARY')
  const before = fixture.outsideNow()
  const replaced: Replaced[] = []
  const door = createFiles({ workspace: fixture.workspace, replaced: (record) => replaced.push(record) })
  const files = door.forCall({ id: 'c', expects: {}, signal })
  {
    await using _swapper = await startSwapper(join(fixture.workspace, 'd'), fixture.outside)
    const seen = tryOften(() => files.write('d/f', Buffer.from('ours'), { createParents: false }))
    expect(seen.worked).toBeGreaterThan(0)
    expect(seen.refused).toBeGreaterThan(0)
  }
  expect(fixture.outsideNow()).toBe(before)
  const kept = replaced.map(({ before: was }) => (was?.type === 'file' ? Buffer.from(was.bytes ?? []).toString() : ''))
  expect(new Set(kept)).toEqual(new Set(['real', 'ours']))
})

test('a folder swapped for a link reveals nothing outside to a search or a listing', async () => {
  using fixture = await setStage()
  writeFileSync(join(fixture.outside, 'f'), 'CANARY')
  const files = createFiles({ workspace: fixture.workspace, replaced: () => undefined }).looking()
  await using _swapper = await startSwapper(join(fixture.workspace, 'd'), fixture.outside)
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
