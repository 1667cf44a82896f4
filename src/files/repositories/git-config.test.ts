import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { parseGitConfig } from './git-config.ts'
import { isHarmlessConfigChange } from './harmless-config.ts'

/** What git itself reads; undefined where it refuses the file. */
function readByGit(file: string): readonly (readonly [string, string])[] | undefined {
  try {
    const listed = execFileSync('git', ['config', '--no-includes', '-z', '--list', '-f', file], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return listed
      .split('\0')
      .slice(0, -1)
      .map((line) => {
        const end = line.indexOf('\n')
        return end === -1 ? [line, 'true'] : [line.slice(0, end), line.slice(end + 1)]
      })
  } catch {
    return undefined
  }
}

const PIECES = [
  '[core]',
  '[Core "a"]',
  '[a.B]',
  '[r "x\\"y"]',
  '\n',
  '\r\n',
  ' ',
  '\t',
  'name',
  'fsMonitor',
  '=',
  ' = ',
  '"',
  '\\',
  '\\n',
  '\\"',
  '\\\n',
  '#',
  ';',
  'value',
  'a b',
  '[',
  ']',
  '.',
  'é',
  '\uFEFF',
]

/** Tabs inside a value as spaces: git before 2.45 reads them so, later versions keep them. */
const spaced = (read: unknown): unknown => JSON.parse(JSON.stringify(read).replaceAll('\\t', ' '))

test('whatever is read from a hostile configuration is what git reads', () => {
  const file = join(temporaryFolder(), 'config')
  const check = (text: string) => {
    const read = parseGitConfig(text)
    if (read === undefined) return
    writeFileSync(file, text)
    const expected = readByGit(file)
    if (expected !== undefined) expect(spaced(read)).toEqual(spaced(expected))
  }
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((parts) => `[core]\n${parts.join('')}`),
      check,
    ),
    { numRuns: 300 },
  )
})

test('a configuration that git writes is read', () => {
  const file = join(temporaryFolder(), 'config')
  for (const [key, value] of [
    ['user.name', ' A "B" # C; \\ D '],
    ['branch.feature/a.b.merge', 'refs/heads/x'],
    ['remote.o.url', 'https://h/x y'],
  ] as const)
    execFileSync('git', ['config', '-f', file, key, value])
  const text = execFileSync('cat', [file], { encoding: 'utf8' })
  expect(parseGitConfig(text)).toEqual(readByGit(file))
})

test.for([
  ['', '[user]\n\tname = x', true],
  ['[core]\n\thooksPath = a', '[core]\n\thooksPath = a\n[user]\n\temail = x', true],
  ['[core]\n\thooksPath = a', '', false],
  ['[alias]\n\ta = x\n\ta = y', '[alias]\n\ta = y\n\ta = x', false],
  ['', '[core]\n\tfsmonitor = true', false],
  ['', '[core]\n\tworktree = /', false],
  ['[remote "o"]\n\turl = a', '[remote "o"]\n\turl = b', false],
  ['[remote "o"]\n\turl = a', '[remote "o"]\n\turl = a\n\tpushurl = b', false],
  ['[remote "o"]\n\turl = a', '[remote "p"]\n\turl = a', true],
  ['', '[branch "x"]\n\tremote = ext::evil', false],
  ['', '[branch "x"]\n\tmerge = --upload-pack=evil', false],
  ['[user]\n\tname = "open', '[user]\n\tname = x', false],
] as const)('from %j to %j is harmless: %s', ([before, after, harmless]) => {
  expect(isHarmlessConfigChange(before, after, { staysInside: () => false })).toBe(harmless)
})
