import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Declarations } from '../scripts/reference/declarations.ts'

const root = join(import.meta.dirname, '..')

/** Where the words are checked: files, and folders with all that is in them. docs/api.md is generated from comments of the sources. */
const CHECKED = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  'docs',
  'examples',
  'src/cli',
  'src/main.ts',
]
const LEFT_OUT = ['docs/api.md']

/** Words that Haft no longer uses, each with the word to use. GLOSSARY.md has the words and what they mean. */
const RETIRED: readonly [pattern: RegExp, instead: string][] = [
  [/\bcorridor\b/i, 'pipeline'],
  [/\b(every|each|one|which) rooms?\b/i, 'stage'],
  [/\b(before|after|across|cross) the line\b|crossLine/i, 'commit point'],
  [/\b(another|the|file|public|guarded) doors?\b/i, 'interface, entry point, guarded access'],
  [/\b(a|any|other|the|every) faces?\b/i, 'front end'],
  [/\b(approval )?desk\b/i, 'approval queue'],
  [/\bwish(es|ed)?\b/i, 'request'],
  [/\bheed(s|ed)?\b/i, 'handle'],
  [/\bmend(s|ed|ing)?\b/i, 'fix or repair'],
  [/(?<!call-)\btrouble\b/i, 'problem'],
  [/\bputs? back\b/i, 'restore'],
  [/\bwhat holds\b/i, 'what works'],
  [/\b(asked|open|waiting|every|a) questions?\b/i, 'approval request'],
  [/\bnobody to ask whether\b|\bis no (JSON|number|time)\b/i, 'a plain negation'],
]

function filesIn(path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path]
  return readdirSync(join(root, path)).flatMap((name) => filesIn(`${path}/${name}`))
}

test.for(RETIRED)('no text says %s', ([pattern, instead]) => {
  const files = CHECKED.flatMap(filesIn).filter((file) => !LEFT_OUT.includes(file))
  expect(files.length).toBeGreaterThan(40)
  const found = files.flatMap((file) =>
    `${file}\n${readFileSync(join(root, file), 'utf8')}`
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index}: ${line.trim()} (write: ${instead})`] : [])),
  )
  expect(found).toEqual([])
})

test('no exported name uses a retired word', () => {
  const names = [...new Declarations(join(root, 'dist/types')).file('index.d.ts').exports.keys()]
  expect(names.filter((name) => /Corridor|Room|Desk|Door|Face|House|Trouble|Trail|Workshop/.test(name))).toEqual([])
})
