import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeReferences } from '../scripts/make-api-reference.ts'
import { type Declaration, Declarations } from '../scripts/reference/declarations.ts'

const root = join(import.meta.dirname, '..')

test.each(Object.entries(makeReferences()))('%s is what `npm run docs` makes of the types', (file, made) => {
  expect(readFileSync(join(root, file), 'utf8')).toBe(made)
})

test('every exported name, and every event, is in the reference with a description of the event', () => {
  const { 'docs/api.md': api = '', 'docs/events.md': events = '' } = makeReferences()
  const names = [...new Declarations(join(root, 'dist/types')).file('index.d.ts').exports.keys()]
  expect(names.length).toBeGreaterThan(100)
  expect(names.filter((name) => !api.includes(`\n### ${name}\n`))).toEqual([])
  const sources = ['src/core/session/event.ts', 'src/core/plans/plan-event.ts']
  const source = sources.map((file) => readFileSync(join(root, file), 'utf8')).join('')
  const types = [...source.matchAll(/In(?:Session|Call|Plan|Job)<'([a-z-]+)'>/g)].map(([, type]) => type)
  expect([...events.matchAll(/^### ([a-z-]+)$/gm)].map(([, type]) => type)).toEqual(types)
  expect([...events.matchAll(/^### ([a-z-]+)\n\n(?:```|No fields)/gm)].map(([, type]) => type)).toEqual([])
})

test('index.ts exports every type that a public signature mentions', () => {
  const all = new Declarations(join(root, 'dist/types'))
  const names = [...all.file('index.d.ts').exports.keys()]
  const exported = new Set(names.map((name) => all.resolve('index.d.ts', name)))
  const reached = new Set([...exported].filter((declaration) => declaration !== undefined))
  const missing: string[] = []
  for (const declaration of reached) {
    for (const mentioned of all.mentionedBy(declaration)) {
      reached.add(mentioned)
      if (!exported.has(mentioned) && !isInner(mentioned, declaration))
        missing.push(`${mentioned.name} of ${mentioned.file}, which ${declaration.name} mentions`)
    }
  }
  expect(missing).toEqual([])
})

/** True for the parts that a file composes its types of and keeps to itself: an alias, which editors expand, or an interface that only types use. */
function isInner({ isExported, kind }: Declaration, mentionedBy: Declaration): boolean {
  const isOfTypes = mentionedBy.kind === 'type' || mentionedBy.kind === 'interface'
  return !isExported && (kind === 'type' || isOfTypes)
}
