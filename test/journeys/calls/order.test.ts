import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Approver, defineTool, type Host, objectSchema, optional, string, writes } from '../../../src/index.ts'
import { exampleHost } from '../../support/example-host.ts'
import { eventually } from '../../support/processes.ts'

/** Three tools, one that touches nothing, one that reads and one that writes, that run until they are released by name; `log` records which are running. */
function makeDoors() {
  const inside = new Set<string>()
  const order: string[] = []
  const letGo = new Map<string, () => void>()
  const make = (name: string, effect: 'none' | 'read' | 'write') =>
    defineTool({
      name,
      description: 'Stays inside until let go.',
      input: objectSchema({ name: string('Who'), path: optional(string('What it writes')) }),
      effect,
      approval: false,
      touches: ({ path }) => (path === undefined ? [] : [writes(path)]),
      execute: ({ name: who }) =>
        new Promise<string>((resolve) => {
          inside.add(who)
          order.push(who)
          letGo.set(who, () => {
            inside.delete(who)
            resolve(who)
          })
        }),
    })
  const release = async (who: string) => {
    await eventually(() => inside.has(who))
    letGo.get(who)?.()
  }
  return { tools: [make('think', 'none'), make('look', 'read'), make('change', 'write')], inside, order, release }
}

test('S2.6 calls of one session keep their order; neighbours that only read run together', async () => {
  const { tools, inside, order, release } = makeDoors()
  const host = await exampleHost({ tools })
  const call = (tool: string, name: string) => host.call(tool, { name }, { session: 's' })
  const all = Promise.all([
    call('look', 'a'),
    call('look', 'b'),
    call('change', 'c'),
    call('look', 'd'),
    call('look', 'e'),
    call('change', 'f'),
  ])
  await eventually(() => inside.size === 2)
  expect([...inside]).toEqual(['a', 'b'])
  await release('b')
  await release('a')
  await eventually(() => inside.size === 1)
  expect([...inside]).toEqual(['c'])
  await release('c')
  await eventually(() => inside.size === 2)
  await release('e')
  await release('d')
  await release('f')
  expect((await all).map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  expect(order).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

test('S2.6 reads that run together are bounded', async () => {
  const { tools, inside, release } = makeDoors()
  const host = await exampleHost({ tools })
  const names = Array.from({ length: 20 }, (_, index) => `r${index}`)
  const all = Promise.all(names.map((name) => host.call('look', { name }, { session: 's' })))
  await eventually(() => inside.size === 8)
  for (const name of names) {
    expect(inside.size).toBeLessThanOrEqual(8)
    await release(name)
  }
  await all
})

test('S2.6 calls that touch nothing all run together; a change waits for them, and they for a change', async () => {
  const { tools, inside, release } = makeDoors()
  const host = await exampleHost({ tools })
  const names = Array.from({ length: 20 }, (_, index) => `t${index}`)
  const calls = [...names.map((name) => ['think', name]), ['change', 'c'], ['think', 'last']]
  const all = Promise.all(calls.map(([tool = '', name]) => host.call(tool, { name }, { session: 's' })))
  await eventually(() => inside.size === 20)
  for (const name of names.slice(1)) await release(name)
  expect([...inside]).toEqual(['t0'])
  await release('t0')
  await eventually(() => inside.has('c'))
  expect([...inside]).toEqual(['c'])
  await release('c')
  await release('last')
  await all
})

test('S2.6 a background call does not block, and a session does not wait for another', async () => {
  const { tools, inside, release } = makeDoors()
  const host = await exampleHost({ tools })
  await host.call('change', { name: 'long', background: true }, { session: 's' })
  await eventually(() => inside.has('long'))
  const stuck = host.call('change', { name: 'stuck' }, { session: 's' })
  await eventually(() => inside.has('stuck'))
  const other = host.call('change', { name: 'other' }, { session: 't' })
  await release('other')
  expect((await other).text).toBe('other')
  await release('stuck')
  await stuck
  await release('long')
  await host.tasks.idle()
})

test('a call that waits for its turn is cancelled at once, and those behind it go on', async () => {
  const { tools, inside, release } = makeDoors()
  const host = await exampleHost({ tools })
  const cancel = new AbortController()
  const first = host.call('change', { name: 'first' }, { session: 's' })
  await eventually(() => inside.has('first'))
  const second = host.call('change', { name: 'second' }, { session: 's', signal: cancel.signal })
  const third = host.call('change', { name: 'third' }, { session: 's' })
  cancel.abort()
  expect(await second).toMatchObject({ ok: false, code: 'CANCELLED' })
  await release('first')
  await release('third')
  expect([(await first).ok, (await third).ok]).toEqual([true, true])
})

test('S2.6 writers to one path wait for each other across sessions, also above and below it; others do not', async () => {
  const { tools, inside, order, release } = makeDoors()
  const host = await exampleHost({ tools })
  const change = (name: string, path: string) => host.call('change', { name, path }, { session: name })
  const all = [change('one', 'dir/a.txt'), change('two', './dir/../dir/a.txt'), change('three', 'dir')]
  const free = change('free', 'b.txt')
  await release('free')
  await free
  expect([...inside]).toEqual(['one'])
  for (const name of ['one', 'two', 'three']) {
    await eventually(() => inside.has(name))
    expect(inside.size).toBe(1)
    await release(name)
  }
  await Promise.all(all)
  expect(order.filter((name) => name !== 'free')).toEqual(['one', 'two', 'three'])
})

test('S2.6 a waiting approval blocks nobody: the path is free until the answer comes, and a change meanwhile is a conflict', async () => {
  const answers: (() => void)[] = []
  const approver: Approver = {
    ask: () => new Promise((resolve) => answers.push(() => resolve({ approved: true }))),
  }
  const host = await exampleHost({ approver })
  writeFileSync(join(host.workspace, 'a.txt'), 'one')
  const edit = (old: string, replacement: string, options = {}) =>
    host.call('edit_file', { path: 'a.txt', edits: [{ old, new: replacement }] }, options)
  const asked = edit('one', 'two', { session: 's' })
  await eventually(() => answers.length === 1)
  expect(await edit('one', 'three', { session: 't', decision: 'allow' })).toMatchObject({ ok: true })
  answers[0]?.()
  expect(await asked).toMatchObject({ ok: false, code: 'CONFLICT' })
  expect(readFileSync(join(host.workspace, 'a.txt'), 'utf8')).toBe('three')
})

/** Increments the number in a file, and tries again after a conflict. */
async function raise(host: Host, session: string): Promise<void> {
  for (;;) {
    const { text } = await host.call('read_file', { path: 'count.txt' }, { session })
    const count = Number(/\d+/.exec(text)?.[0])
    const edits = [{ old: `count: ${count}.`, new: `count: ${count + 1}.` }]
    const edited = await host.call('edit_file', { path: 'count.txt', edits }, { session, decision: 'allow' })
    if (edited.ok) return
    expect(edited.code).toBe('CONFLICT')
  }
}

test('two agents that edit one file 500 times lose no update', async () => {
  const host = await exampleHost()
  const path = join(host.workspace, 'count.txt')
  writeFileSync(path, 'count: 0.\n')
  const agent = async (session: string) => {
    for (let times = 0; times < 250; times++) await raise(host, session)
  }
  await Promise.all([agent('one'), agent('two')])
  expect(readFileSync(path, 'utf8')).toBe('count: 500.\n')
})

test('edits of two agents that do not meet all succeed, none is a conflict', async () => {
  const host = await exampleHost()
  const path = join(host.workspace, 'lines.txt')
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index};`)
  writeFileSync(path, lines.join('\n'))
  const results = await Promise.all(
    lines.map((line, index) =>
      host.call(
        'edit_file',
        { path: 'lines.txt', edits: [{ old: line, new: `done ${index};` }] },
        { session: `agent ${index % 2}`, decision: 'allow' },
      ),
    ),
  )
  expect(results.filter(({ ok }) => !ok)).toEqual([])
  expect(readFileSync(path, 'utf8')).toBe(lines.map((_, index) => `done ${index};`).join('\n'))
})
