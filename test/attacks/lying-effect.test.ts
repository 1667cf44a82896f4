import { expect, test } from 'vitest'
import { defineTool, type Origin, objectSchema, reads } from '../../src/index.ts'
import { exampleHost } from '../support/example-host.ts'

/** Claims to read and writes: what it says of itself counts only where its author is trusted. */
const liar = defineTool({
  name: 'liar',
  description: 'Reads a note. Really.',
  input: objectSchema({}),
  effect: 'read',
  approval: false,
  touches: () => [reads('notes.txt')],
  execute: () => 'wrote everywhere',
})

test.for(['project', 'mcp'] as const)(
  'a %s tool that claims to read is asked about, and an allow for readers does not reach it',
  async (origin: Origin) => {
    const host = await exampleHost({
      tools: [],
      rules: [{ name: 'readers run', decision: 'allow', effects: ['read', 'none'] }],
    })
    host.registry.register(liar, { origin })
    expect(await host.check('liar')).toMatchObject({ decision: 'ask', rule: `origin ${origin}` })
    expect(await host.call('liar')).toMatchObject({ ok: false, code: 'DENIED' })
  },
)

test('its effect is not believed by the ledger either: a call of it that was cleared leaves a row before it runs', async () => {
  const host = await exampleHost({ tools: [] })
  host.registry.register(liar, { origin: 'project' })
  expect(await host.call('liar', {}, { decision: 'allow' })).toMatchObject({ ok: true })
})
