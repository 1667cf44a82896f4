import { expect, test } from 'vitest'
import {
  answer,
  type Host,
  objectSchema,
  output,
  pipeline,
  type Result,
  type Tool,
  ToolError,
} from '../../src/index.ts'
import { exampleHost, temporaryFolder } from '../support/example-host.ts'

/** A host with one tool that need not keep what types promise. */
async function hostWith(members: Record<string, unknown>): Promise<Host> {
  const plain = { name: 'hostile', description: 'Breaks promises.', input: objectSchema({}), effect: 'none' }
  return exampleHost({ tools: [{ ...plain, execute: () => 1, ...members } as unknown as Tool] })
}

async function callHostile(members: Record<string, unknown>): Promise<Result> {
  return (await hostWith(members)).call('hostile', {})
}

const forEver = () => new Promise<never>(() => undefined)

test('a tool that cannot say its time limit is not begun', async () => {
  let began = false
  const result = await callHostile({
    timeout() {
      throw new Error('no clock')
    },
    async execute() {
      began = true
    },
  })
  expect(result).toMatchObject({ ok: false, code: 'EXECUTION_ERROR', text: 'no clock' })
  expect(began).toBe(false)
})

test('a time limit that is not a number does not affect other time limits', async () => {
  const endless = await hostWith({ timeout: () => Number.NaN, execute: forEver })
  const limited = await hostWith({ execute: forEver })
  const caller = new AbortController()
  const waiting = endless.call('hostile', {}, { signal: caller.signal })
  const limits = [0.02, 0.1].map((timeout) => limited.call('hostile', {}, { timeout }))
  for (const result of await Promise.all(limits)) expect(result).toMatchObject({ ok: false, code: 'TIMEOUT' })
  caller.abort()
  expect(await waiting).toMatchObject({ ok: false, code: 'CANCELLED' })
})

test('a thenable that throws is a failure, and nothing is left that waits for it', async () => {
  const thenable = {
    // biome-ignore lint/suspicious/noThenProperty: a thenable is what is tried
    then() {
      throw new Error('not to be awaited')
    },
  }
  const host = await hostWith({ timeout: () => 0.02, execute: () => thenable })
  const limited = await hostWith({ timeout: () => 0.1, execute: forEver })
  const calls = [host, limited].map((one) => one.call('hostile', {}))
  expect(await Promise.all(calls)).toMatchObject([{ text: 'not to be awaited' }, { code: 'TIMEOUT' }])
})

test.for([
  ['a number', 42, '42'],
  ['nothing', undefined, '{"a":1}'],
])('an answer whose text is %s still has a text', async ([, text, expected]) => {
  const result = await callHostile({ execute: () => answer(text as string, { a: 1 }) })
  expect(result).toEqual({ ok: true, text: expected, data: { a: 1 } })
})

const circle: Record<string, unknown> = {}
circle.self = circle
const UNCARRIED: [string, unknown][] = [
  ['a BigInt', { n: 1n }],
  ['itself', circle],
  [
    'a toJSON that throws',
    {
      toJSON() {
        throw new Error('no')
      },
    },
  ],
]

test.for(UNCARRIED)('a result that holds %s is a failure that every interface can write', async ([, data]) => {
  for (const returned of [data, answer('fine words', data)]) {
    const result = await callHostile({ execute: () => returned })
    expect(result.text).toMatch(/^The tool ran, but its result cannot be turned into JSON/)
    expect(JSON.parse(JSON.stringify(result))).toMatchObject({ ok: false, code: 'EXECUTION_ERROR' })
  }
})

test.for(UNCARRIED)('a failure whose details hold %s can be written too', async ([, data]) => {
  const result = await callHostile({
    execute() {
      throw new ToolError('CONFLICT', 'taken', { details: { data } })
    },
  })
  expect(JSON.parse(JSON.stringify(result))).toMatchObject({ code: 'CONFLICT', details: { omitted: true } })
})

test('a result that is a function is a failure', async () => {
  const result = await callHostile({ execute: () => () => 1 })
  expect(result).toMatchObject({ ok: false, text: expect.stringContaining('it is a function') })
})

test('a large buffer is left out', async () => {
  const result = await callHostile({
    execute: () => answer('bytes', new Uint8Array(100_000_000).subarray(0, 2_000_000)),
  })
  expect(result).toMatchObject({ ok: true, text: 'bytes', data: { omitted: true } })
})

test('the text of a failure is bounded like every text, and the full text is kept', async () => {
  const host = await hostWith({
    execute() {
      throw new Error(Array.from({ length: 9_000 }, (_, line) => `line ${line}`).join('\n'))
    },
  })
  const result = await host.call('hostile', {})
  expect(result.text.length).toBeLessThan(50_000)
  const call = /"call":"(\w+)"/.exec(result.text)?.[1]
  expect(await host.call('read_output', { call, from: 8_000, to: 8_000 })).toMatchObject({ text: 'line 7999' })
})

test('the details of a failure are bounded', async () => {
  const result = await callHostile({
    execute() {
      throw new ToolError('CONFLICT', 'taken', { details: { all: 'x'.repeat(2_000_000) } })
    },
  })
  expect(result).toMatchObject({ code: 'CONFLICT', text: 'taken', details: { omitted: true } })
})

test.for([
  ['thrown', { execute: () => Promise.reject(new ToolError('NOPE' as 'CONFLICT', 'words')) }],
  ['given by prepare', { prepare: () => ({ ok: false, code: 'NOPE', text: 'words' }) }],
] as const)('an unknown error code, %s, becomes a known one', async ([, members]) => {
  expect(await callHostile(members)).toMatchObject({ ok: false, code: 'EXECUTION_ERROR', text: 'words' })
})

test('a failure without words gets some', async () => {
  const result = await callHostile({ prepare: () => ({ ok: false, code: 'CONFLICT' }) })
  expect(result).toMatchObject({ ok: false, code: 'CONFLICT', text: expect.any(String) })
})

test.for([
  [
    'a promise of steps',
    async (): Promise<unknown> => pipeline().step(() => output('done')),
    { ok: true, data: 'done' },
  ],
  ['steps that are not a plan', (): unknown => ({}), { ok: false, code: 'EXECUTION_ERROR' }],
  ['nothing', (): unknown => undefined, { ok: false, code: 'EXECUTION_ERROR' }],
] as const)('a tool that gives %s gets a result, and its call an end', async ([, steps, expected]) => {
  const host = await hostWith({ execute: undefined, steps })
  expect(await host.call('hostile', {})).toMatchObject(expected)
  expect((await host.log.read()).at(-1)).toMatchObject({ type: 'call-end', result: expected })
})

test.for(['yes', 1, {}, null])('an approval of %j does not skip the approval: only false does', async (word) => {
  expect(await callHostile({ approval: () => word })).toMatchObject({ ok: false, code: 'DENIED' })
})

test.for([
  { kind: 'write', path: 'notes.txt' },
  { kind: 'writes', path: 5 },
  { kind: 'runs', command: null },
  { kind: 'connects' },
  null,
])('a tool with the invalid touch %j is denied', async (touch) => {
  const result = await callHostile({ touches: () => [touch] })
  expect(result).toMatchObject({ ok: false, code: 'BLOCKED' })
  expect(result.text).toContain('something that is not a touch')
})

const unreadable = new Proxy(
  {},
  {
    getPrototypeOf() {
      throw new Error('do not look')
    },
  },
)

test.for([
  [
    'at once',
    () => {
      throw unreadable
    },
  ],
  ['later', () => Promise.reject(unreadable)],
] as const)('a thrown value that cannot be inspected, %s, is a failure', async ([, execute]) => {
  const result = await callHostile({ execute, timeout: () => 5 })
  expect(result).toMatchObject({ ok: false, code: 'EXECUTION_ERROR' })
})

test('a list without end is left out, holes included', async () => {
  const result = await callHostile({
    execute() {
      throw new ToolError('CONFLICT', 'all of them', { details: { list: new Array(100_000_000) } })
    },
  })
  expect(result).toMatchObject({ code: 'CONFLICT', details: { omitted: true } })
})

test('text that nests without end is refused, not followed', async () => {
  const deep = `${'['.repeat(100_000)}1234567890123456789${']'.repeat(100_000)}`
  const input = objectSchema({ list: { type: 'array', description: 'A list' } })
  const host = await hostWith({ input })
  expect(await host.call('hostile', { list: deep })).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' })
})

test('a refusal shows a long key or a long list of values only in part, in its details too', async () => {
  const values = Array.from({ length: 10_000 }, (_, i) => `value ${i}`)
  const input = objectSchema({ one: { type: 'string', description: 'One', enum: values } })
  const result = await (await hostWith({ input })).call('hostile', { one: 'other' })
  expect(JSON.stringify(result).length).toBeLessThan(5_000)
})

test('a delta that is not text is converted to text', async () => {
  const host = await hostWith({
    execute(_: unknown, { delta }: { delta(piece: unknown): void }) {
      delta(Buffer.from('bytes'))
      delta(7)
    },
  })
  expect(await host.call('hostile', {})).toMatchObject({ ok: true })
  const said = (await host.log.read()).flatMap((event) => (event.type === 'call-delta' ? [event.text] : []))
  expect(said).toEqual(['bytes', '7'])
})

const NO_TEXT: unknown[] = [circle, 1n, Symbol('name'), null, 5]

test.for(NO_TEXT)(
  'a tool or a session named by no text, case %#, does not keep the log from being written',
  async (odd) => {
    const host = await exampleHost({ home: temporaryFolder() })
    expect(await host.call(odd as string, {})).toMatchObject({ ok: false, code: 'UNKNOWN_TOOL' })
    await host.call('add_numbers', { a: 1, b: 2 }, { session: odd as string })
    expect(await host.call('write_note', { path: 'a.txt', text: 'x' }, { decision: 'allow' })).toMatchObject({
      ok: true,
    })
    expect(host.log.problem()).toBeUndefined()
  },
)

test('the log keeps a name that is longer than that of any tool only in part', async () => {
  const host = await exampleHost()
  await host.call('x'.repeat(1_000_000), {})
  expect(JSON.stringify(await host.log.read()).length).toBeLessThan(10_000)
})
