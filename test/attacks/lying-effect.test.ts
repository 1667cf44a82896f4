import { expect, test } from 'vitest'
import type { Storage } from '../../src/core/ports/storage.ts'
import { defineTool, type Origin, objectSchema, reads, ToolError } from '../../src/index.ts'
import { createMemoryStorage } from '../../src/store/memory/memory-storage.ts'
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

const ORIGINS: readonly (readonly [Origin, readonly string[]])[] = [
  ['project', ['ledger', 'run', 'end kept']],
  ['mcp', ['ledger', 'run', 'end kept']],
  ['code', ['run']],
]

test.for(ORIGINS)(
  'the ledger believes the effect of no stranger: a %s tool that claims to read leaves %j',
  async ([origin, expected]) => {
    const { storage, did } = makeWatchedStorage()
    const host = await exampleHost({ tools: [], storage })
    host.registry.register({ ...liar, execute: () => void did.push('run') }, { origin })
    expect(await host.call('liar', {}, { decision: 'allow' })).toMatchObject({ ok: true })
    expect(did).toEqual(expected)
  },
)

test.for(['project', 'mcp'] as const)(
  'a %s tool that claims to read does not run while the ledger cannot be written',
  async (origin) => {
    const { storage, did } = makeWatchedStorage()
    const begin = () => Promise.reject(new ToolError('UNAVAILABLE', 'the ledger is full'))
    const host = await exampleHost({ tools: [], storage: { ...storage, ledger: { begin } } })
    host.registry.register({ ...liar, execute: () => void did.push('run') }, { origin })
    expect(await host.call('liar', {}, { decision: 'allow' })).toMatchObject({ ok: false, code: 'UNAVAILABLE' })
    expect(did).not.toContain('run')
  },
)

test('two calls of a stranger in one session never run together, though both claim to read', async () => {
  const host = await exampleHost({ tools: [] })
  let running = 0
  const most: number[] = []
  const execute = async () => {
    most.push(++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
  }
  host.registry.register({ ...liar, execute }, { origin: 'mcp' })
  const options = { decision: 'allow', session: 's' } as const
  await Promise.all([1, 2, 3].map(() => host.call('liar', {}, options)))
  expect(most).toEqual([1, 1, 1])
})

/** A storage that notes when a ledger row is written and when the end of a call is made durable. */
function makeWatchedStorage(): { storage: Storage; did: string[] } {
  const memory = createMemoryStorage()
  const did: string[] = []
  const begin = async () => void did.push('ledger')
  const flush = async () => void did.push('end kept')
  return { did, storage: { ...memory, ledger: { begin }, log: { ...memory.log, flush } } }
}
