import { expect, test } from 'vitest'
import { type Host, objectSchema, output, pipeline, type Tool } from '../../src/index.ts'
import { exampleHost, temporaryFolder } from '../support/example-host.ts'

/** A stage that never ends, and how the test knows that the call has reached it. */
type Stage = (entered: () => void) => Record<string, unknown>

const STAGES: Record<string, Stage> = {
  validate: (entered) => ({ input: standardSchema(entered) }),
  touches: (entered) => ({ touches: stuck(entered) }),
  prepare: (entered) => ({ prepare: stuck(entered) }),
  approval: (entered) => ({ approval: stuck(entered) }),
  steps: (entered) => ({
    execute: undefined,
    steps: () =>
      pipeline()
        .step(stuck(entered))
        .approval()
        .step(() => output(1)),
  }),
  execute: (entered) => ({ execute: stuck(entered) }),
  output: (entered) => ({ output: standardSchema(entered) }),
}
const NAMES = Object.keys(STAGES)

function stuck(entered: () => void): () => Promise<never> {
  return () => {
    entered()
    return new Promise(() => undefined)
  }
}

function standardSchema(entered: () => void) {
  const json = () => ({ type: 'object', properties: {} })
  const jsonSchema = { input: json, output: json }
  return { '~standard': { version: 1, vendor: 'own', validate: stuck(entered), jsonSchema } }
}

/** A host with a tool that is stuck in one stage, and a promise that resolves when a call has reached it. */
async function stuckHost(stage: string, home?: string): Promise<{ host: Host; entered: Promise<void> }> {
  const entered = Promise.withResolvers<void>()
  const plain = { name: 'stuck', description: 'Never ends.', input: objectSchema({}), effect: 'none' }
  const tool = { ...plain, execute: () => ({}), ...STAGES[stage]?.(entered.resolve) } as unknown as Tool
  return { host: await exampleHost({ tools: [tool], ...(home && { home }) }), entered: entered.promise }
}

test.for(NAMES)('a call that is stuck in %s ends when it is cancelled', async (stage) => {
  const { host, entered } = await stuckHost(stage)
  const caller = new AbortController()
  const call = host.call('stuck', {}, { signal: caller.signal })
  await entered
  caller.abort()
  expect(await call).toMatchObject({ ok: false, code: 'CANCELLED' })
  expect((await host.log.read()).at(-1)).toMatchObject({ type: 'call-end' })
})

test.for(NAMES)('a host closes while a call is stuck in %s, also when it is closed twice', async (stage) => {
  const { host, entered } = await stuckHost(stage, temporaryFolder())
  const call = host.call('stuck', {})
  await entered
  await Promise.all([host.close(), host.close()])
  expect(await call).toMatchObject({ ok: false, code: 'CANCELLED' })
})

test.for(NAMES.filter((stage) => stage !== 'execute' && stage !== 'output'))(
  'a check that is stuck in %s reacts to its signal, and what could not be checked is not allowed',
  async (stage) => {
    const { host, entered } = await stuckHost(stage)
    const caller = new AbortController()
    const check = host.check('stuck', {}, { signal: caller.signal })
    await entered
    caller.abort()
    expect(await check).toMatchObject({ decision: 'deny', code: 'CANCELLED' })
  },
)

test('a call that changes things is cancelled, not blamed on the log, when the host is closed', async () => {
  const host = await exampleHost({ home: temporaryFolder() })
  await host.close()
  expect(await host.call('write_file', { path: 'a.txt', content: 'x' })).toMatchObject({ ok: false, code: 'CANCELLED' })
})

test('a listener that rejects has no effect on others', async () => {
  const host = await exampleHost()
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
  host.on(async () => {
    throw new Error('a bad listener')
  })
  expect(await host.call('add_numbers', { a: 1, b: 2 })).toMatchObject({ ok: true })
  expect((await warned).message).toContain('a bad listener')
})
