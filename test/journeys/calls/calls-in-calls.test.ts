import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { type Approver, defineTool, type Host, objectSchema, type Result, writes } from '../../../src/index.ts'
import { exampleHost } from '../../support/example-host.ts'
import { eventually } from '../../support/processes.ts'
import { scriptedModel } from '../../support/scripted-model.ts'

/** A tool that writes and does what it is given, which may call its host. */
function makeTool(name: string, execute: (session: string) => Promise<string> | string, path?: string) {
  return defineTool({
    name,
    description: 'Does what the test says.',
    input: objectSchema({}),
    effect: 'write',
    approval: false,
    touches: () => (path === undefined ? [] : [writes(path)]),
    execute: (_, { session }) => execute(session),
  })
}

/** Texts of several results. */
function textsOf(results: readonly Result[]): string {
  return results.map(({ text }) => text).join(' ')
}

test('a tool that calls its host in its own session does not wait for later calls, and the calls it makes keep their order', async () => {
  const order: string[] = []
  const step = (name: string) =>
    makeTool(name, async () => {
      order.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      order.push(`${name} ends`)
      return name
    })
  const outer = makeTool('outer', async (session) => {
    order.push('outer begins')
    await null
    const inner = await Promise.all(['first', 'second'].map((name) => host.call(name, {}, { session })))
    order.push('outer ends')
    return textsOf(inner)
  })
  const host: Host = await exampleHost({ tools: [outer, step('first'), step('second'), step('behind')] })
  const [called, behind] = await Promise.all(['outer', 'behind'].map((name) => host.call(name, {}, { session: 's' })))
  expect(called).toMatchObject({ ok: true, text: 'first second' })
  expect(behind).toMatchObject({ ok: true })
  const names = ['first', 'second'].flatMap((name) => [`${name} begins`, `${name} ends`])
  expect(order).toEqual(['outer begins', ...names, 'outer ends', 'behind begins', 'behind ends'])
})

test('of the calls of one message, each is a call of its own: what its tool calls at once is part of it, the next one is not', async () => {
  const order: string[] = []
  const caller = new AsyncLocalStorage<string>()
  const step = (name: string) =>
    makeTool(name, async () => {
      order.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      order.push(`${name} ends for ${caller.getStore()}`)
      return name
    })
  const outer = defineTool({
    ...{ name: 'outer', description: 'Calls another tool before it waits for anything.', input: objectSchema({}) },
    effect: 'none',
    async execute(_, { session }) {
      await host.call('inner', {}, { session })
      await new Promise((resolve) => setImmediate(resolve))
      order.push('outer ends')
    },
  })
  const host: Host = await exampleHost({ tools: [outer, step('inner'), step('behind')] })
  const session = await host.session()
  const model = scriptedModel([{ calls: [{ name: 'outer' }, { name: 'behind' }] }, { text: 'Done.' }])
  await caller.run('me', () => session.send('go', { model }))
  expect(order).toEqual(['inner begins', 'inner ends for me', 'outer ends', 'behind begins', 'behind ends for me'])
  // The session is free: nothing that ended still counts as running.
  expect(await session.call('behind', {})).toMatchObject({ ok: true, text: 'behind' })
})

test('a call through another session and back to the first is still part of the call it began in', async () => {
  const away = makeTool('away', async () => (await host.call('back', {}, { session: 't' })).text)
  const back = makeTool('back', async () => (await host.call('end', {}, { session: 's' })).text)
  const host: Host = await exampleHost({ tools: [away, back, makeTool('end', () => 'there')] })
  expect(await host.call('away', {}, { session: 's' })).toMatchObject({ ok: true, text: 'there' })
})

test('an approver may make calls in the session of the call', async () => {
  const approver: Approver = {
    async ask({ session }) {
      const { ok } = await host.call('look_around', {}, { session })
      return { approved: ok }
    },
  }
  const host: Host = await exampleHost({ approver, tools: [makeTool('look_around', () => 'seen')] })
  const write = () => host.call('write_file', { path: 'a.txt', content: 'a' }, { session: 's' })
  expect([(await write()).ok, (await write()).ok]).toEqual([true, true])
})

test('work that outlives its call is no longer part of it and waits for its turn', async () => {
  const order: string[] = []
  let left: Promise<Result> | undefined
  const started = Promise.withResolvers<void>()
  const leave = makeTool('leave', (session) => {
    left = started.promise.then(() => host.call('late', {}, { session }))
    return 'gone'
  })
  const held = Promise.withResolvers<void>()
  const hold = makeTool('hold', async () => {
    order.push('hold')
    await held.promise
    order.push('let go')
    return ''
  })
  const late = makeTool('late', () => {
    order.push('late')
    return ''
  })
  const host: Host = await exampleHost({ tools: [leave, hold, late] })
  await host.call('leave', {}, { session: 's' })
  const holding = host.call('hold', {}, { session: 's' })
  await eventually(() => order.length === 1)
  started.resolve()
  await new Promise((resolve) => setImmediate(resolve))
  held.resolve()
  await Promise.all([holding, left])
  expect(order).toEqual(['hold', 'let go', 'late'])
})

test('a call that was started and not awaited still comes before later calls', async () => {
  const order: string[] = []
  let begun: Promise<Result> | undefined
  const begin = makeTool('begin', (session) => {
    begun = host.call('slow', {}, { session })
    return ''
  })
  const slow = makeTool('slow', async () => {
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
    order.push('slow')
    return ''
  })
  const behind = makeTool('behind', () => {
    order.push('behind')
    return ''
  })
  const host: Host = await exampleHost({ tools: [begin, slow, behind] })
  await host.call('begin', {}, { session: 's' })
  await host.call('behind', {}, { session: 's' })
  await begun
  expect(order).toEqual(['slow', 'behind'])
})

test('a tool may call its host to write to its own path, also while others wait for that path', async () => {
  const order: string[] = []
  const begun = Promise.withResolvers<void>()
  const write = (name: string) => {
    const done = host.call('write_file', { path: 'dir/a.txt', content: name }, { decision: 'allow' })
    return done.then((result) => {
      order.push(name)
      return result
    })
  }
  const outer = makeTool(
    'outer',
    async () => {
      await host.call('middle')
      order.push('outer')
      return ''
    },
    'dir',
  )
  const middle = makeTool(
    'middle',
    async () => {
      begun.resolve()
      await eventually(async () => (await host.log.read()).filter(({ type }) => type === 'call-start').length === 3)
      return (await write('inner')).text
    },
    'dir/b.txt',
  )
  const host: Host = await exampleHost({ tools: [outer, middle] })
  const other = begun.promise.then(() => write('other'))
  expect(await host.call('outer')).toMatchObject({ ok: true })
  await other
  expect(order).toEqual(['inner', 'outer', 'other'])
})

test('of two calls that would wait for each other one is refused, and all come to an end', async () => {
  const begun = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() }
  const make = (own: 'a' | 'b', other: 'a' | 'b') =>
    makeTool(
      own,
      async () => {
        begun[own].resolve()
        await begun[other].promise
        const args = { path: `${other}/inner.txt`, content: 'inner' }
        const inner = await host.call('write_file', args, { decision: 'allow' })
        return inner.ok ? 'written' : inner.code
      },
      own,
    )
  const host: Host = await exampleHost({ tools: [make('a', 'b'), make('b', 'a')] })
  const results = await Promise.all([host.call('a'), host.call('b')])
  expect(results.map(({ text }) => text).sort()).toEqual(['CONFLICT', 'written'])
})

/** Tools that write one path: `outer` begins `inner` when it is told and does not wait for it, `behind` comes while `outer` runs; each stays until it is let go. */
async function beginAndLeave(whenBegun: 'while it runs' | 'after its end') {
  const order: string[] = []
  const gates = {
    outer: Promise.withResolvers<void>(),
    inner: Promise.withResolvers<void>(),
    behind: Promise.withResolvers<void>(),
  }
  const begin = Promise.withResolvers<void>()
  let left: Promise<Result> | undefined
  const make = (name: keyof typeof gates) =>
    makeTool(
      name,
      async () => {
        order.push(`${name} begins`)
        if (name === 'outer') left = begin.promise.then(() => host.call('inner'))
        await gates[name].promise
        order.push(`${name} ends`)
        return ''
      },
      'a.txt',
    )
  const host: Host = await exampleHost({ tools: [make('outer'), make('inner'), make('behind')] })
  const outer = host.call('outer')
  await eventually(() => order.includes('outer begins'))
  const behind = host.call('behind')
  if (whenBegun === 'while it runs') {
    begin.resolve()
    await eventually(() => order.includes('inner begins'))
  }
  gates.outer.resolve()
  await outer
  if (whenBegun === 'after its end') {
    await eventually(() => order.includes('behind begins'))
    begin.resolve()
  }
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
  gates.inner.resolve()
  gates.behind.resolve()
  await Promise.all([behind, left])
  return order.filter((line) => !line.startsWith('outer'))
}

test('a path stays claimed until everything that a call started to write there is written, also if the call did not wait for it', async () => {
  const order = await beginAndLeave('while it runs')
  expect(order).toEqual(['inner begins', 'inner ends', 'behind begins', 'behind ends'])
})

test('work that outlives its call waits for the writers of its path like any call', async () => {
  const order = await beginAndLeave('after its end')
  expect(order).toEqual(['behind begins', 'behind ends', 'inner begins', 'inner ends'])
})
