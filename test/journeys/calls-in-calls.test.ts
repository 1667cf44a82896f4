import { expect, test } from 'vitest'
import { type Approvals, defineTool, type Host, objectSchema, type Result } from '../../src/index.ts'
import { exampleHost } from '../support/example-host.ts'
import { eventually } from '../support/processes.ts'

/** A tool that writes and does what it is given, which may call its host. */
function makeTool(name: string, execute: (session: string) => Promise<string> | string) {
  return defineTool({
    name,
    description: 'Does what the test says.',
    input: objectSchema({}),
    effect: 'write',
    approval: false,
    touches: () => [],
    execute: (_, { session }) => execute(session),
  })
}

/** Texts of several results. */
function textsOf(results: readonly Result[]): string {
  return results.map(({ text }) => text).join(' ')
}

test('a tool that calls its host in its own session waits for nobody behind it, and what it calls keeps its order', async () => {
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

test('a call through another session and back to the first is still part of the call it began in', async () => {
  const away = makeTool('away', async () => (await host.call('back', {}, { session: 't' })).text)
  const back = makeTool('back', async () => (await host.call('end', {}, { session: 's' })).text)
  const host: Host = await exampleHost({ tools: [away, back, makeTool('end', () => 'there')] })
  expect(await host.call('away', {}, { session: 's' })).toMatchObject({ ok: true, text: 'there' })
})

test('whoever is asked about a call may look at things in its session', async () => {
  const approvals: Approvals = {
    async ask({ session }) {
      const { ok } = await host.call('look_around', {}, { session })
      return { approved: ok }
    },
  }
  const host: Host = await exampleHost({ approvals, tools: [makeTool('look_around', () => 'seen')] })
  const write = () => host.call('write_file', { path: 'a.txt', content: 'a' }, { session: 's' })
  expect([(await write()).ok, (await write()).ok]).toEqual([true, true])
})

test('what a call left behind is part of it no more: it takes its turn', async () => {
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

test('what a call began and did not wait for is still ahead of the calls behind it', async () => {
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
