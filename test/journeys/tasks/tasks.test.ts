import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type Approver,
  defineTool,
  type Host,
  type JsonSchema,
  objectSchema,
  type Result,
  string,
} from '../../../src/index.ts'
import { exampleHost, exampleTools } from '../../support/example-host.ts'
import { eventually } from '../../support/processes.ts'

/** A tool that runs until its gate is opened by name or its signal aborts. */
function makeGate() {
  const open = new Map<string, () => void>()
  const gate = defineTool({
    name: 'gate',
    description: 'Waits.',
    input: objectSchema({ name: string('Which gate') }),
    effect: 'none',
    execute: ({ name }, { signal, delta }) =>
      new Promise<string>((resolve, reject) => {
        delta(`at the gate ${name}\n`)
        open.set(name, () => resolve(`through ${name}`))
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      }),
  })
  return { gate, open }
}

/** The task id of a result that started one. */
function taskOf(result: Result): string {
  const { data } = result as { data: { task_id: string } }
  expect(data.task_id).toMatch(/^c_/)
  return data.task_id
}

async function start(host: Host, name: string, args: object, options = {}): Promise<string> {
  return taskOf(await host.call(name, { ...args, background: true }, options))
}

test('only tools that may take long offer background, in every form a definition is given in', async () => {
  const host = await exampleHost()
  const { tools, ...snapshot } = host.registry.snapshot()
  const longTools = tools.filter(
    ({ tool: { effect, mayTakeLong } }) => mayTakeLong || effect === 'run' || effect === 'network',
  )
  expect(longTools.map(({ tool: { name } }) => name)).toEqual([
    ...[
      'format_code',
      'git_branch',
      'git_commit',
      'git_push',
      'install_package',
      'run_code',
      'run_tests',
      'search_code',
    ],
    ...['shell', 'spawn_agent', 'web_fetch', 'web_search', 'connect_host', 'run_echo'],
  ])
  const offering = (given: readonly { name: string; parameters: JsonSchema }[]) =>
    given.filter(({ parameters }) => Object.hasOwn(Object(parameters.properties), 'background')).map(({ name }) => name)
  const names = longTools.map(({ tool: { name } }) => name)
  expect(offering(host.registry.toOpenAIFunctions())).toEqual(names)
  const definitions: { function: { name: string; parameters: JsonSchema } }[] = JSON.parse(
    snapshot.definitions('openai'),
  )
  expect(offering(definitions.map((one) => one.function))).toEqual(names)
  expect(offering(tools.map(({ tool: { name }, offered }) => ({ name, parameters: offered })))).toEqual(names)
  expect(offering(tools.map(({ tool: { name }, parameters }) => ({ name, parameters })))).toEqual([])
})

test('S2.5 every tool takes background, and no tool sees it', async () => {
  const host = await exampleHost()
  const own = defineTool({
    name: 'own',
    description: 'Has its own.',
    input: objectSchema({ background: string('A colour') }),
    effect: 'none',
    execute: ({ background }) => background,
  })
  host.registry.register(own)
  expect(await host.call('own', { background: 'red' })).toMatchObject({ ok: true, text: 'red' })
  expect(await host.call('add_numbers', { a: 1, b: 2, background: false })).toMatchObject({ data: { sum: 3 } })
  expect(await host.call('add_numbers', '{"a":1,"b":2,"background":"false"}')).toMatchObject({ data: { sum: 3 } })
  expect(await host.call('add_numbers', { a: 1, b: 2, background: 7 })).toMatchObject({ code: 'INVALID_ARGUMENTS' })
})

test('S2.5 a task gives its id at once, its output while it runs, and its result again and again', async () => {
  const { gate, open } = makeGate()
  const host = await exampleHost({ tools: [gate] })
  const task_id = await start(host, 'gate', { name: 'a' })
  await eventually(() => open.has('a'))
  expect(await host.call('list_background_tasks')).toMatchObject({
    data: { tasks: [{ task_id, tool: 'gate', state: 'running' }] },
  })
  const running = await host.call('get_background_task', { task_id })
  expect(running).toMatchObject({ data: { state: 'running', output: 'at the gate a\n' } })
  const { next } = (running as { data: { next: number } }).data
  expect(await host.call('get_background_task', { task_id, from: next })).toMatchObject({ data: { output: '', next } })
  const waiting = host.call('get_background_task', { task_id, wait: 30 })
  open.get('a')?.()
  for (const result of [await waiting, await host.call('get_background_task', { task_id })])
    expect(result).toMatchObject({ data: { state: 'ended', outcome: 'ok', result: { text: 'through a' } } })
  expect(await host.call('get_background_task', { task_id: 'nope' })).toMatchObject({ code: 'FILE_NOT_FOUND' })
  const types = (await host.log.read()).map(({ type }) => type)
  expect(types.filter((type) => type.startsWith('task-'))).toEqual(['task-start', 'task-end'])
})

test('S2.5 what cannot run fails at once: bad arguments, a deny, a path outside', async () => {
  const host = await exampleHost({ rules: [{ name: 'no adding', decision: 'deny', tools: ['add_numbers'] }] })
  expect(await host.call('add_numbers', { a: 'x', background: true })).toMatchObject({ code: 'INVALID_ARGUMENTS' })
  expect(await host.call('add_numbers', { a: 1, b: 2, background: true })).toMatchObject({ code: 'BLOCKED' })
  const outside = { path: '../a', text: '', background: true }
  expect(await host.call('write_note', outside)).toMatchObject({ code: 'INVALID_PATH' })
  expect(await host.tasks.list()).toEqual([])
})

test('S2.5 a task waits while a person is asked, and a no is its result', async () => {
  const replies: ((approved: boolean) => void)[] = []
  const approver: Approver = {
    ask: () => new Promise((resolve) => replies.push((approved) => resolve({ approved }))),
  }
  const host = await exampleHost({ approver })
  const yes = await start(host, 'write_note', { path: 'yes.txt', text: 'yes' })
  const no = await start(host, 'write_note', { path: 'no.txt', text: 'no' })
  await eventually(() => replies.length === 2)
  expect((await host.tasks.list()).map(({ state }) => state)).toEqual(['waiting', 'waiting'])
  expect(await host.call('add_numbers', { a: 1, b: 2 })).toMatchObject({ ok: true })
  replies[0]?.(true)
  replies[1]?.(false)
  await host.tasks.idle()
  expect((await host.tasks.read(yes))?.result).toMatchObject({ ok: true })
  expect((await host.tasks.read(no))?.result).toMatchObject({ ok: false, code: 'DENIED' })
  expect(readFileSync(join(host.workspace, 'yes.txt'), 'utf8')).toBe('yes')
})

test('S2.6 a task survives the turn of its caller, and is cancelled by its id', async () => {
  const { gate, open } = makeGate()
  const host = await exampleHost({ tools: [gate] })
  const turn = new AbortController()
  const task_id = await start(host, 'gate', { name: 'a' }, { signal: turn.signal })
  await eventually(() => open.has('a'))
  turn.abort()
  expect((await host.tasks.read(task_id))?.state).toBe('running')
  expect(await host.call('cancel_background_task', { task_id })).toMatchObject({
    data: { state: 'ended', outcome: 'CANCELLED' },
  })
  expect((await host.tasks.read(task_id))?.result).toMatchObject({
    code: 'CANCELLED',
    details: { partial: 'at the gate a\n' },
  })
  expect(await host.call('cancel_background_task', { task_id })).toMatchObject({ code: 'CONFLICT' })
})

test('S2.5 only so many run at once, and the rest run in the order they came', async () => {
  const { gate, open } = makeGate()
  const host = await exampleHost({ tools: [gate] })
  const names = Array.from({ length: 20 }, (_, index) => `g${index}`)
  const ids = await Promise.all(names.map((name) => start(host, 'gate', { name })))
  await eventually(() => open.size === 16)
  const stateOf = async (index: number) => (await host.tasks.read(ids[index] ?? ''))?.state
  expect([await stateOf(15), await stateOf(16), await stateOf(19)]).toEqual(['running', 'queued', 'queued'])
  await host.tasks.cancel(ids[17] ?? '')
  await eventually(async () => (await stateOf(17)) === 'ended')
  open.get('g0')?.()
  await eventually(() => open.has('g16'))
  open.get('g1')?.()
  await eventually(() => open.has('g18'))
  expect([open.has('g17'), open.has('g19')]).toEqual([false, false])
  expect((await host.tasks.read(ids[17] ?? ''))?.result).toMatchObject({ code: 'CANCELLED' })
})

test('a live command works on the workspace itself, streams, and ends with all its programs when cancelled', async () => {
  const host = await exampleHost()
  writeFileSync(join(host.workspace, 'go.sh'), 'echo started > seen.txt; echo hello; sleep 1000')
  const id = await start(host, 'shell', { command: 'bash go.sh', live: true }, { decision: 'allow' })
  await eventually(async () => (await host.tasks.read(id))?.output === 'hello\n')
  expect(readFileSync(join(host.workspace, 'seen.txt'), 'utf8')).toBe('started\n')
  await host.tasks.cancel(id)
  await host.tasks.wait(id)
  expect((await host.tasks.read(id))?.result).toMatchObject({ ok: false, code: 'CANCELLED' })
})

test('S2.5 the log knows the tasks of a host that is gone', async () => {
  const home = join((await exampleHost()).workspace, 'home')
  const first = await exampleHost({ home, tools: await exampleTools() })
  const id = await start(first, 'add_numbers', { a: 1, b: 2 })
  await first.tasks.idle()
  await first.close()
  const second = await exampleHost({ home })
  expect(await second.tasks.list()).toMatchObject([{ task: id, state: 'ended', outcome: 'ok' }])
  expect((await second.tasks.read(id))?.result).toMatchObject({ data: { sum: 3 } })
})

test('a task is cancelled from another host that keeps its log in the same place', async () => {
  const { gate, open } = makeGate()
  const home = join((await exampleHost()).workspace, 'home')
  const owner = await exampleHost({ home, tools: [gate] })
  const id = await start(owner, 'gate', { name: 'a' })
  await eventually(() => open.has('a'))
  const other = await exampleHost({ home })
  await eventually(async () => (await other.tasks.list())[0]?.state === 'running')
  expect(await other.call('cancel_background_task', { task_id: id })).toMatchObject({ data: { outcome: 'CANCELLED' } })
})
