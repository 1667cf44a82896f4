import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** Identifiers that were replaced and must not be declared again. */
const RETIRED_IDENTIFIERS: readonly string[] = [
  ...['Way', 'Trail', 'Workshop', 'WalkPlace', 'Asker', 'ContextParts', 'Shop', 'Space', 'Box', 'Stages'],
  ...['FilesDoor', 'openSpace', 'startBox', 'createStages', 'tellReplaced', 'leashedCommand', 'dials', 'putBack'],
  ...['Trials', 'Taken', 'RunPlace', 'HostPlace', 'SandboxPlace', 'House', 'buildHouse'],
]

/** Words of file names that were replaced. */
const RETIRED_FILE_NAMES = /\b(corridors?|rooms?|desk|trail|bag|workshop|house|face|faces|doors?|leash|box|tell|mend)\b/

/** Phrases that must not appear in comments, messages and documents, with the words to use instead. */
const RETIRED_PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bcorridors?\b/i, 'pipeline'],
  [/\b(a|the|each|every|one|two|its|of|these|all) rooms?\b/i, 'stage'],
  [/\b(before|after|behind|past|beyond|crosses|cross) the line\b/i, 'commit point'],
  [/\b(approval )?desk\b/i, 'approval queue'],
  [/\bworkshop\b/i, 'the name of what it holds'],
  [/\bheeds?\b/i, 'handle'],
  [/\bhears\b/i, 'receives, or: called with'],
  [/\b(the|of the|a) house\b/i, 'architecture, app, or the name of the part'],
  [/\b(another|every|any|each|a|the) face\b/i, 'front end'],
  [/\b(the|a|another|same|file|guarded|every) doors?\b/i, 'interface, or guarded access'],
  [/\bleash\b/i, 'control pipe'],
  [/\bmends?\b/i, 'fix or repair'],
  [/\bputs? back\b/i, 'restore'],
  [/\bwhat holds here\b/i, 'what works on this machine'],
  [/\bshut in\b/i, 'run in a sandbox'],
  [/\bdial(s|led)\b/i, 'connect'],
  [/(?<!call-|\|)\btrouble\b/i, 'problem'],
  [/\b(asked|open|waiting|every) questions?\b/i, 'approval request'],
  [/\bis no (JSON|number|time)\b/i, 'a plain negation'],
]

const sources = globSync('{src,test}/**/*.{ts,js}', { cwd: ROOT, exclude: ['test/data/**'] })
const documents = globSync('{docs/**/*.md,*.md}', { cwd: ROOT, exclude: ['node_modules/**', 'GLOSSARY.md'] })
const checked = [...sources, ...documents].filter((file) => file !== 'test/words.test.ts').toSorted()

test('file names are in plain words', () => {
  expect(checked.filter((file) => RETIRED_FILE_NAMES.test(basename(file).replaceAll('-', ' ')))).toEqual([])
})

test('no retired identifier is declared', () => {
  const found = checked.flatMap((file) =>
    [...textOf(file).matchAll(/\b(?:interface|type|class|function|const|let)\s+(\w+)/g)]
      .filter(([, name = '']) => RETIRED_IDENTIFIERS.includes(name))
      .map(([declaration]) => `${file}: ${declaration}`),
  )
  expect(found).toEqual([])
})

test('no retired phrase is used', () => {
  const found = checked.flatMap((file) =>
    textOf(file)
      .split('\n')
      .flatMap((line, index) =>
        RETIRED_PHRASES.filter(([phrase]) => phrase.test(line)).map(
          ([phrase, instead]) => `${file}:${index + 1}: ${phrase.exec(line)?.[0]} (write: ${instead})`,
        ),
      ),
  )
  expect(found).toEqual([])
})

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}
