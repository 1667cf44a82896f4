import { expect, test } from 'vitest'
import { defineTool } from '../core/tool/tool.ts'
import { type FileLoad, joinLoads, keepLastGood } from './keep-last-good.ts'

const load = (file: string, name: string): FileLoad => {
  const tool = defineTool({ name, description: 'It', input: { type: 'object' }, effect: 'none', execute: () => 1 })
  return { file, tools: [{ tool, source: file }], skipped: [], isBroken: false }
}
const broken = (file: string, reason: string): FileLoad => ({
  file,
  tools: [],
  skipped: [{ source: file, line: 3, reason }],
  isBroken: true,
})
const namesOf = (loads: readonly FileLoad[]) => joinLoads(loads).tools.map(({ tool }) => tool.name)

test('S0.4 a file that breaks keeps its last good tools, also while it stays broken, and each time says why', () => {
  const good = [load('a.ts', 'a'), load('b.ts', 'b')]
  const first = keepLastGood(good, [broken('a.ts', 'no name'), load('b.ts', 'b2')])
  expect(namesOf(first)).toEqual(['a', 'b2'])
  expect(joinLoads(first).skipped).toEqual([
    { source: 'a.ts', line: 3, reason: 'no name. Its last version that worked stays in use.' },
  ])
  const second = keepLastGood(first, [broken('a.ts', 'Unexpected end.'), load('b.ts', 'b3')])
  expect(namesOf(second)).toEqual(['a', 'b3'])
  expect(joinLoads(second).skipped[0]?.reason).toBe('Unexpected end. Its last version that worked stays in use.')
  expect(namesOf(keepLastGood(second, [load('a.ts', 'a4'), load('b.ts', 'b4')]))).toEqual(['a4', 'b4'])
})

test('S4.9 a broken file keeps its rules too, and its reason of several lines says so on a line of its own', () => {
  const rules = [{ name: 'no_curl', decision: 'deny', forbidden: ['curl'], reason: 'it is forbidden' } as const]
  const good = [{ ...load('a.py', 'a'), tools: [], rules }]
  const [kept] = keepLastGood(good, [broken('a.py', 'ValueError\nline 3')])
  expect(kept).toMatchObject({
    tools: [],
    rules,
    skipped: [{ reason: expect.stringMatching(/line 3\nIts last version/) }],
  })
  const unfinished = { ...broken('a.py', 'ValueError'), rules }
  expect(keepLastGood([unfinished], [broken('a.py', 'ValueError')])).toEqual([broken('a.py', 'ValueError')])
  expect(joinLoads(keepLastGood(kept ? [kept] : [], [unfinished])).rules).toEqual(rules)
})

test('a file that was never good, is gone, or gives no tools any more has none', () => {
  const never = [broken('a.ts', 'no name')]
  expect(keepLastGood([], never)).toEqual(never)
  expect(keepLastGood([load('a.ts', 'a')], [])).toEqual([])
  const empty = [{ ...load('a.ts', 'a'), tools: [] }]
  expect(namesOf(keepLastGood([load('a.ts', 'a')], empty))).toEqual([])
  const backAgain = keepLastGood(keepLastGood([load('a.ts', 'a')], []), never)
  expect(namesOf(backAgain)).toEqual([])
})
