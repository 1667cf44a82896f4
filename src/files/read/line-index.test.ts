import { openSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/example-host.ts'
import type { TextHit } from '../../core/ports/files.ts'
import { createFiles } from '../files.ts'
import { findLineIndex, LARGE_FILE, makeLineIndex } from './line-index.ts'

function fileOf(content: string): string {
  const path = join(temporaryFolder(), 'file.txt')
  writeFileSync(path, content)
  return path
}

async function search(path: string, pattern: string, context = 0): Promise<readonly TextHit[]> {
  const files = createFiles({ workspace: join(path, '..'), replaced: () => undefined })
  const hits: TextHit[] = []
  const query = { path: 'file.txt', pattern, context, limit: 1_000, signal: new AbortController().signal }
  await files.looking().search(query, (found) => hits.push(...found))
  return hits
}

it('knows the line of every offset and an offset before every line', async () => {
  const line = fc.integer({ min: 0, max: 9_000 }).map((length) => 'x'.repeat(length))
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 40 }), fc.boolean(), async (lines, ends) => {
      const path = fileOf(lines.join('\n') + (ends ? '\n' : ''))
      await makeLineIndex(openSync(path, 'r'))
      const fd = openSync(path, 'r')
      const index = findLineIndex(fd)
      let start = 0
      for (const [before, text] of lines.entries()) {
        expect(index?.lineAt(fd, start)).toBe(before + 1)
        expect(index?.lineAt(fd, start + text.length)).toBe(before + 1)
        const entry = index?.placeBefore(before + 1)
        expect(entry?.offset).toBeLessThanOrEqual(start)
        expect(index?.lineAt(fd, entry?.offset ?? -1)).toBe(entry?.line)
        start += text.length + 1
      }
    }),
    { numRuns: 40, examples: [[[''], false]] },
  )
})

it('a search and a read say the same of a large file with an index as without one, and again after it changed', async () => {
  const lines = Array.from(
    { length: 200_000 },
    (_, i) => `line ${i + 1} ${'.'.repeat(40)}${i % 9_999 === 0 ? ' needle' : ''}`,
  )
  const path = fileOf(lines.join('\n'))
  expect(lines.join('\n').length).toBeGreaterThan(LARGE_FILE)
  const files = createFiles({ workspace: join(path, '..'), replaced: () => undefined }).looking()
  const readAt = (from: number) =>
    Buffer.from(files.readLines('file.txt', { from, to: from + 1, limit: 1_000 }).bytes).toString()
  const [found, read] = [await search(path, 'needle', 1), readAt(199_980)]
  expect(found.filter(({ match }) => match).map(({ line }) => line)).toEqual([
    1, 10_000, 19_999, 29_998, 39_997, 49_996, 59_995, 69_994, 79_993, 89_992, 99_991, 109_990, 119_989, 129_988,
    139_987, 149_986, 159_985, 169_984, 179_983, 189_982, 199_981,
  ])
  await makeLineIndex(openSync(path, 'r'))
  await expect.poll(() => findLineIndex(openSync(path, 'r')) !== undefined).toBe(true)
  expect(await search(path, 'needle', 1)).toEqual(found)
  expect(readAt(199_980)).toBe(read)
  expect(read).toContain('line 199981')
  writeFileSync(path, `first\n${lines.join('\n')}`.slice(0, lines.join('\n').length))
  utimesSync(path, 1, 1)
  expect((await search(path, 'line 150000 ')).map(({ line }) => line)).toEqual([150_001])
  expect(readAt(150_001)).toContain('line 150000')
})
