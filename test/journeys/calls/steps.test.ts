import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, expectTypeOf, test } from 'vitest'
import type { Storage } from '../../../src/core/ports/storage.ts'
import {
  type DelegateAnswer,
  defineTool,
  delegate,
  type Event,
  fail,
  type Host,
  type HostOptions,
  next,
  objectSchema,
  optional,
  output,
  pipeline,
  type Result,
  string,
  type Tool,
  writes,
} from '../../../src/index.ts'
import { createMemoryStorage } from '../../../src/store/memory/memory-storage.ts'
import { exampleHost } from '../../support/example-host.ts'
import { openRequest } from '../../support/open-request.ts'
import { eventually } from '../../support/processes.ts'

type Ending = 'works' | 'fails' | 'throws' | 'hangs' | 'hangs deaf' | 'fails early'

/** A tool with a preview and a cleanup that ends in the way it is told; `ended` gets the results its cleanup saw. */
function makeStaged(ended: Result[], cleanup: () => void = () => undefined): Tool {
  return defineTool({
    name: 'staged',
    description: 'Works in steps.',
    input: objectSchema({ way: string('How it ends') }),
    effect: 'write',
    touches: () => [writes('made.txt')],
    steps: ({ way }) =>
      pipeline()
        .step(() => (way === 'fails early' ? fail('CONFLICT', 'it cannot work') : next(way)))
        .approval()
        .step(async function* (handed, { files, signal }) {
          yield 'working'
          if (handed === 'throws') throw new Error('it broke')
          if (handed === 'hangs') await new Promise((_, reject) => signal.addEventListener('abort', reject))
          if (handed === 'hangs deaf') await new Promise(() => undefined)
          if (handed === 'fails') return fail('EXECUTION_ERROR', 'it did not work')
          files.write('made.txt', Buffer.from('made'))
          return output({ made: true })
        })
        .finally((result, { files }) => {
          ended.push(result)
          cleanup()
          if (result.ok) files.write('cleaned.txt', Buffer.from('cleaned'))
        }),
  })
}

const ENDINGS: readonly [Ending, object, string][] = [
  ['works', { decision: 'allow' }, 'ok'],
  ['works', { decision: 'deny' }, 'DENIED'],
  ['fails', { decision: 'allow' }, 'EXECUTION_ERROR'],
  ['throws', { decision: 'allow' }, 'EXECUTION_ERROR'],
  ['fails early', { decision: 'allow' }, 'CONFLICT'],
  ['hangs', { decision: 'allow', timeout: 0.02 }, 'TIMEOUT'],
  ['hangs deaf', { decision: 'allow', timeout: 0.02 }, 'TIMEOUT'],
]

test.for(ENDINGS)('S2.1 finally runs once, before the end is told: %s %o', async ([way, options, code]) => {
  const ended: Result[] = []
  const host = await exampleHost({ tools: [makeStaged(ended)] })
  const seen: number[] = []
  host.on(({ type }) => type === 'call-end' && seen.push(ended.length))
  const result = await host.call('staged', { way }, options)
  expect(result.ok ? 'ok' : result.code).toBe(code)
  expect(ended).toEqual([result])
  expect(seen).toEqual([1])
  expect(existsSync(join(host.workspace, 'cleaned.txt'))).toBe(result.ok)
})

test('S2.1 finally runs when the caller cancels and when the host is closed', async () => {
  const ended: Result[] = []
  const host = await exampleHost({ tools: [makeStaged(ended)] })
  const cancel = new AbortController()
  const calls = [
    host.call('staged', { way: 'hangs' }, { decision: 'allow', signal: cancel.signal }),
    host.call('staged', { way: 'hangs' }, { decision: 'allow' }),
  ]
  await eventually(async () => deltasOf(await host.log.read()).length > 0)
  cancel.abort()
  await calls[0]
  await host.close()
  await Promise.all(calls)
  expect(ended.map((result) => !result.ok && result.code)).toEqual(['CANCELLED', 'CANCELLED'])
})

test('S2.1 a finally that fails is logged, and changes no result', async () => {
  const host = await exampleHost({
    tools: [
      makeStaged([], () => {
        throw new Error('the broom broke')
      }),
    ],
  })
  expect(await host.call('staged', { way: 'works' }, { decision: 'allow' })).toMatchObject({ ok: true })
  const types = (await host.log.read()).map(({ type }) => type)
  expect(types.slice(-2)).toEqual(['call-problem', 'call-end'])
  expect((await host.log.read()).at(-2)).toMatchObject({ text: 'finally of staged failed: the broom broke' })
})

test('S2.4 a call that cannot work fails before a person is asked, and a check cleans up after itself', async () => {
  const ended: Result[] = []
  let asked = 0
  const approver = { ask: async () => ({ approved: ++asked > 0 }) as const }
  const host = await exampleHost({ tools: [makeStaged(ended)], approver })
  expect(await host.call('staged', { way: 'fails early' })).toMatchObject({ ok: false, code: 'CONFLICT' })
  expect(asked).toBe(0)
  expect(await host.check('staged', { way: 'works' })).toMatchObject({ decision: 'ask', rule: 'tool approval' })
  expect(ended).toHaveLength(2)
  expect(await host.call('staged', { way: 'works' })).toMatchObject({ ok: true })
  expect(asked).toBe(1)
})

test('S2.1 a change before the approval point is an error that names the tool', async () => {
  const eager = defineTool({
    name: 'eager',
    description: 'Too fast.',
    input: objectSchema({}),
    effect: 'write',
    steps: () =>
      pipeline()
        .step((_, { files }) => next(files.write('a.txt', Buffer.from('a'))))
        .approval()
        .step(() => output('done')),
  })
  const host = await exampleHost({ tools: [eager] })
  const result = await host.call('eager', {}, { decision: 'allow' })
  expect(result).toMatchObject({ ok: false, code: 'EXECUTION_ERROR' })
  expect(result.text).toContain('eager tried to change a file before it was approved')
  expect(existsSync(join(host.workspace, 'a.txt'))).toBe(false)
})

test('S2.1 arguments a person changed begin a new plan, and the old one is cleaned up', async () => {
  const ended: Result[] = []
  const host = await exampleHost({ tools: [makeStaged(ended)] })
  const decision = { approved: true, modifiedArgs: { way: 'works' } } as const
  expect(await host.call('staged', { way: 'fails' }, { decision })).toMatchObject({ ok: true })
  expect(ended.map(({ ok }) => ok)).toEqual([false, true])
})

/** Counts what a tool with a preview, a step after the approval and a cleanup does, and what each is handed. */
function makeCounted(did: string[]): Tool {
  return defineTool({
    name: 'counted',
    description: 'Counts its stages.',
    input: objectSchema({ path: string('A file') }),
    effect: 'write',
    touches: ({ path }) => [writes(path)],
    steps({ path }) {
      did.push(`plan ${path}`)
      return pipeline()
        .step((_, { files }) => {
          did.push(`look ${path}`)
          return next({ seen: path }, { expects: { [path]: files.state(path, 'content') } })
        })
        .approval()
        .step(({ seen }, { files }) => {
          did.push(`write ${seen}`)
          files.write(path, Buffer.from('new'))
          return output('done')
        })
        .finally((result) => did.push(`finally ${path} ${result.ok ? 'ok' : result.code}`))
    },
  })
}

type Answering = (host: Host, calling: Promise<Result>) => Promise<unknown>

/** The two ways in which a yes comes in the process that asked: from its own approver, and through `host.approvals`. */
const APPROVERS: readonly (readonly [string, HostOptions, Answering])[] = [
  ['the approver of the host', { approver: { ask: async () => ({ approved: true }) } }, async () => undefined],
  [
    'host.approvals',
    { wait: true },
    async (host) => host.approvals.answer((await openRequest(host)).request.approval, { approved: true }),
  ],
]

test.for(APPROVERS)(
  'S2.1 a call goes on from where it waited after a yes by %s: no step and no finally runs twice',
  async ([, options, answer]) => {
    const did: string[] = []
    const host = await exampleHost({ ...options, tools: [makeCounted(did)] })
    const calling = host.call('counted', { path: 'a.txt' })
    await answer(host, calling)
    expect(await calling).toMatchObject({ ok: true })
    expect(did).toEqual(['plan a.txt', 'look a.txt', 'write a.txt', 'finally a.txt ok'])
  },
)

test('S2.1 what prepare saw is looked at again after a yes, without prepare: unchanged goes on, changed is a CONFLICT', async () => {
  let prepared = 0
  const tool = defineTool({
    name: 'prepared',
    description: 'Prepares once.',
    input: objectSchema({}),
    effect: 'write',
    touches: () => [writes('a.txt')],
    prepare(_, { files }) {
      prepared++
      return { expects: { 'a.txt': files.state('a.txt', 'content') } }
    },
    execute: () => 'done',
  })
  const host = await exampleHost({ wait: true, tools: [tool] })
  for (const code of ['ok', 'CONFLICT']) {
    const calling = host.call('prepared')
    const { request } = await openRequest(host)
    if (code === 'CONFLICT') writeFileSync(join(host.workspace, 'a.txt'), 'came meanwhile')
    await host.approvals.answer(request.approval, { approved: true })
    const result = await calling
    expect(result.ok ? 'ok' : result.code).toBe(code)
  }
  expect(prepared).toBe(2)
})

test('S2.1 a file that changed while a call waited ends it as CONFLICT, with one finally and nothing written', async () => {
  const did: string[] = []
  const host = await exampleHost({ wait: true, tools: [makeCounted(did)] })
  const path = join(host.workspace, 'a.txt')
  writeFileSync(path, 'old')
  const calling = host.call('counted', { path: 'a.txt' })
  const { request } = await openRequest(host)
  writeFileSync(path, 'changed')
  await host.approvals.answer(request.approval, { approved: true })
  expect(await calling).toMatchObject({ ok: false, code: 'CONFLICT', details: { reason: 'CHANGED' } })
  expect(did).toEqual(['plan a.txt', 'look a.txt', 'finally a.txt CONFLICT'])
  expect(readFileSync(path, 'utf8')).toBe('changed')
})

test('S2.1 changed arguments run a plan of their own, and each plan is cleaned up once', async () => {
  const did: string[] = []
  const host = await exampleHost({ wait: true, tools: [makeCounted(did)] })
  const calling = host.call('counted', { path: 'a.txt' })
  const { request } = await openRequest(host)
  did.push('asked')
  await host.approvals.answer(request.approval, { approved: true, modifiedArgs: { path: 'b.txt' } })
  expect(await calling).toMatchObject({ ok: true })
  const checked = ['plan b.txt', 'look b.txt', 'finally b.txt CANCELLED']
  expect(did).toEqual([
    ...['plan a.txt', 'look a.txt', 'asked', ...checked],
    ...['plan b.txt', 'finally a.txt CANCELLED', 'look b.txt', 'write b.txt', 'finally b.txt ok'],
  ])
})

test('S2.1 changed arguments that are refused leave one finally of the first plan', async () => {
  const did: string[] = []
  const rules = [{ name: 'not b', decision: 'deny', paths: ['b.txt'] }] as const
  const host = await exampleHost({ wait: true, tools: [makeCounted(did)], rules })
  const calling = host.call('counted', { path: 'a.txt' })
  const { request } = await openRequest(host)
  await host.approvals.answer(request.approval, { approved: true, modifiedArgs: { path: 'b.txt' } })
  expect(await calling).toMatchObject({ code: 'BLOCKED', details: { rule: 'not b' } })
  expect(did).toEqual(['plan a.txt', 'look a.txt', 'finally a.txt BLOCKED'])
})

test('S2.1 finally runs once also where the log fails while a plan is given up', async () => {
  const memory = createMemoryStorage()
  let failures = 0
  const append: Storage['log']['append'] = (body) => {
    if (body.type === 'call-problem' && failures++ === 0) throw new Error('the log is full')
    return memory.log.append(body)
  }
  const storage: Storage = { ...memory, log: { ...memory.log, append } }
  const ended: Result[] = []
  const staged = makeStaged(ended, () => {
    throw new Error('the broom broke')
  })
  const host = await exampleHost({ storage, tools: [staged] })
  const decision = { approved: true, modifiedArgs: { way: 'works' } } as const
  expect(await host.call('staged', { way: 'fails' }, { decision })).toMatchObject({ ok: false })
  expect(ended).toHaveLength(1)
})

test("S2.2 a generator's yields are deltas, in order; output is the result, and goes on", async () => {
  const counting = defineTool({
    name: 'counting',
    description: 'Counts.',
    input: objectSchema({}),
    effect: 'none',
    steps: () =>
      pipeline()
        .step(async function* () {
          yield 'one '
          yield 'two '
          return output({ count: 2 })
        })
        .step(async function* ({ count }) {
          expectTypeOf(count).toEqualTypeOf<number>()
          yield `after ${count}`
          return next()
        }),
  })
  const host = await exampleHost({ tools: [counting] })
  expect(await host.call('counting')).toMatchObject({ ok: true, data: { count: 2 } })
  expect(deltasOf(await host.log.read())).toEqual(['one ', 'two ', 'after 2'])
})

/** Asks the app for everything there is to ask, and returns the answers. */
const asking = defineTool({
  name: 'asking',
  description: 'Asks the app.',
  input: objectSchema({ text: optional(string('What to tell')) }),
  effect: 'none',
  steps: ({ text = 'hello' }) =>
    pipeline()
      .step(() => delegate({ kind: 'notify', text }))
      .step(async (told, context) => {
        expectTypeOf(told).toEqualTypeOf<DelegateAnswer>()
        const shown = await context.delegate({ kind: 'show-diff', path: 'a.txt', diff: '+a' })
        return output([told, shown])
      }),
})

test('S2.3 the app is asked and its answer reaches the tool; what it does not do, the tool is told', async () => {
  const host = await exampleHost({ tools: [asking] })
  const stop = host.onDelegate((effect, { call, workspace }) => {
    expect([typeof call, workspace]).toEqual(['string', host.workspace])
    if (effect.kind === 'show-diff') throw new Error('the screen is full')
    return effect.kind === 'notify' ? { done: true, text: `heard ${effect.text}` } : undefined
  })
  expect(await host.call('asking')).toMatchObject({
    data: [
      { done: true, text: 'heard hello' },
      { done: false, reason: 'the screen is full' },
    ],
  })
  expect((await host.log.read()).filter(({ type }) => type === 'delegate-request')).toHaveLength(2)
  expect((await host.log.read()).filter(({ type }) => type === 'delegate-answer')).toHaveLength(2)
  stop()
  expect(await host.call('asking')).toMatchObject({ ok: true, data: [{ done: false }, { done: false }] })
})

test('S2.3 open_file asks, then lets the app open it; with no app it says so', async () => {
  const host = await exampleHost()
  writeFileSync(join(host.workspace, 'a.txt'), 'text')
  const call = (path: string) => host.call('open_file', { path, line: 3 }, { decision: 'allow' })
  expect((await host.check('open_file', { path: 'a.txt' })).decision).toBe('ask')
  expect(await call('a.txt')).toMatchObject({ ok: false, code: 'UNAVAILABLE' })
  const opened: unknown[] = []
  host.onDelegate((effect) => {
    opened.push(effect)
    return { done: true }
  })
  expect(await call('a.txt')).toMatchObject({ ok: true, text: 'Opened a.txt' })
  expect(opened).toEqual([{ kind: 'open', path: 'a.txt', line: 3 }])
  expect(await call('missing.txt')).toMatchObject({ ok: false, code: 'FILE_NOT_FOUND' })
})

test('S2.3 open_file lets nobody open a file that went while a person was asked', async () => {
  const host = await exampleHost({ wait: true })
  const path = join(host.workspace, 'a.txt')
  writeFileSync(path, 'text')
  const opened: unknown[] = []
  host.onDelegate((effect) => {
    opened.push(effect)
    return { done: true }
  })
  const calling = host.call('open_file', { path: 'a.txt' })
  const { request } = await openRequest(host)
  rmSync(path)
  await host.approvals.answer(request.approval, { approved: true })
  expect(await calling).toMatchObject({ ok: false, code: 'FILE_NOT_FOUND' })
  expect(opened).toEqual([])
})

test('a tool with steps and execute, or with neither, is refused when it is registered', async () => {
  const host: Host = await exampleHost()
  const bare = { name: 'bare', description: 'Nothing.', input: objectSchema({}), effect: 'none' } as const
  expect(() => host.registry.register(bare)).toThrow('neither an execute function nor steps')
  const both = { ...bare, steps: () => pipeline(), execute: () => 'x' }
  expect(() => host.registry.register(both)).toThrow('take the place of both')
  expect(() => pipeline().approval().approval()).toThrow('one approval point')
  // @ts-expect-error a tool does its work in one go or in steps
  expect(() => defineTool(both)).not.toThrow()
})

test('edits are matched once, and what is written is what was shown', async () => {
  const host = await exampleHost()
  const path = join(host.workspace, 'a.txt')
  writeFileSync(path, 'one\ntwo\n')
  const edit = { path: 'a.txt', edits: [{ old: 'two', new: 'three' }] }
  expect((await host.check('edit_file', edit)).preview?.text).toContain('+three')
  expect(await host.call('edit_file', edit, { decision: 'allow' })).toMatchObject({ ok: true })
  expect(readFileSync(path, 'utf8')).toBe('one\nthree\n')
})

function deltasOf(events: readonly Event[]): string[] {
  return events.flatMap((event) => (event.type === 'call-delta' ? [event.text] : []))
}
