import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import {
  type Approver,
  defineTool,
  type Home,
  type HomeOptions,
  type Loaded,
  objectSchema,
  openHome,
  type Tool,
  type ToolSource,
} from '../../../src/index.ts'
import { exampleTools } from '../../support/example-host.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function exampleHome(options: HomeOptions = {}): Promise<Home> {
  const home = await openHome({ home: temporaryFolder(), tools: await exampleTools(), ...options })
  onTestFinished(() => home.close())
  return home
}

const NOTE = { path: 'note.txt', text: 'hi' }

test('hosts of one home receive the events of each other, and share one log', async () => {
  const home = await exampleHome()
  const [one, other] = [await home.host(temporaryFolder()), await home.host(temporaryFolder())]
  const heard: string[] = []
  other.on((event) => heard.push(event.type))
  await one.call('add_numbers', { a: 1, b: 2 })
  expect(heard).toEqual(['session-start', 'call-start', 'call-judged', 'call-run', 'call-end'])
  const [call] = await other.log.calls()
  expect(call).toMatchObject({ tool: 'add_numbers', workspace: one.workspace, parent: null })
})

test('the host of a workspace is opened once, however often and by whatever path', async () => {
  const home = await exampleHome()
  const workspace = temporaryFolder()
  const hosts = await Promise.all([home.host(workspace), home.host(`${workspace}/../${workspace.split('/').at(-1)}`)])
  expect(hosts[0].registry).toBe(hosts[1].registry)
  expect(hosts[0].registry).not.toBe((await home.host(temporaryFolder())).registry)
})

test('a host that one user has closed still works for the other; closing the home closes it', async () => {
  const home = await exampleHome()
  const workspace = temporaryFolder()
  const [one, other] = [await home.host(workspace), await home.host(workspace)]
  await one.close()
  await one.close()
  expect(await other.call('add_numbers', { a: 1, b: 2 })).toMatchObject({ ok: true })
  await home.close()
  expect(await other.call('add_numbers', { a: 1, b: 2 })).toMatchObject({ code: 'CANCELLED' })
  await expect(home.host(workspace)).rejects.toThrow('closed')
})

test('start gives the id of a call before its end', async () => {
  const home = await exampleHome()
  const host = await home.host(temporaryFolder())
  const ended = new AbortController()
  const { id, result } = host.start('hang', {}, { signal: ended.signal })
  await expect.poll(async () => (await host.log.calls({ call: id }))[0]?.ran).toBe(true)
  ended.abort()
  expect(await result).toMatchObject({ code: 'CANCELLED' })
  expect(await host.log.calls({ call: id })).toMatchObject([{ tool: 'hang', outcome: 'CANCELLED' }])
})

test('the approver of a call comes before that of its session, and that before the one of the home', async () => {
  const asked: string[] = []
  const approver = (name: string): Approver => ({
    name,
    async ask() {
      asked.push(name)
      return { approved: true }
    },
  })
  const home = await exampleHome({ approver: approver('home') })
  const host = await home.host(temporaryFolder())
  const session = await host.session({ approver: approver('session') })
  const note = (path: string) => ({ path, text: 'hi' })
  await host.call('write_note', note('a'))
  await session.call('write_note', note('b'))
  await session.call('write_note', note('c'), { approver: approver('call') })
  expect(asked).toEqual(['home', 'session', 'call'])
})

test('S0.10 S0.11 a session has the tools it began with, and continues with them elsewhere', async () => {
  const folder = temporaryFolder()
  const first = await exampleHome({ home: folder })
  const host = await first.host(temporaryFolder())
  const session = await host.session({ tools: ['read_file', 'run_command'], model: 'demo', parent: 's_parent' })
  const names = session.snapshot.tools.map(({ tool }) => tool.name)
  expect(names).toEqual(expect.arrayContaining(['read_file', 'shell', 'task_complete', 'read_output']))
  expect(names).not.toContain('write_file')
  expect(await session.call('write_file', { path: 'a', content: '' })).toMatchObject({ code: 'UNKNOWN_TOOL' })
  expect(await host.log.sessions({ session: session.id })).toMatchObject([
    { workspace: host.workspace, model: 'demo', mode: 'ask', parent: 's_parent' },
  ])
  await first.close()

  const second = await exampleHome({ home: folder })
  const again = await second.session(session.id)
  expect(again.snapshot.tools.map(({ tool }) => tool.name)).toEqual(names)
  expect(again.workspace).toBe(host.workspace)
  expect((await again.events()).map(({ type }) => type)).toContain('session-start')
  await expect(second.session('s_unknown')).rejects.toThrow('s_unknown')
})

test('S0.10 no selection means all tools, an empty one none, control tools included; an unknown tool is refused', async () => {
  const home = await exampleHome()
  const host = await home.host(temporaryFolder())
  expect((await host.session()).snapshot.tools).toEqual(host.registry.snapshot().tools)
  expect((await host.session({ tools: [] })).snapshot.tools).toEqual([])
  await expect(host.session({ tools: ['read_fil'] })).rejects.toThrow(
    'there is no tool "read_fil"; did you mean read_file?',
  )
})

test('S0.10 a session keeps its tools when the registry changes', async () => {
  const home = await exampleHome()
  const host = await home.host(temporaryFolder())
  const session = await host.session()
  expect(host.registry.remove('add_numbers')).toBe(true)
  expect(host.registry.remove('add_numbers')).toBe(false)
  expect(await host.call('add_numbers', { a: 1, b: 2 })).toMatchObject({ code: 'UNKNOWN_TOOL' })
  expect(await session.call('add_numbers', { a: 1, b: 2 })).toMatchObject({ ok: true })
})

test('a session is followed from its first event on', async () => {
  const home = await exampleHome()
  const session = await (await home.host(temporaryFolder())).session()
  await session.call('add_numbers', { a: 1, b: 2 })
  const types: string[] = []
  for await (const { type } of session.follow()) {
    types.push(type)
    if (type === 'call-end') break
  }
  expect(types).toEqual(['session-start', 'call-start', 'call-judged', 'call-run', 'call-end'])
})

const tool = (name: string): Tool =>
  defineTool({ name, description: name, input: objectSchema({}), effect: 'none', execute: () => name })

/** A source whose tools a test changes. */
function changingSource(id: string, origin: ToolSource['origin'], names: readonly string[]) {
  const listeners = new Set<() => void>()
  let current = names
  const load = async (): Promise<Loaded> => ({
    tools: current.map((name) => ({ tool: tool(name), source: id })),
    skipped: [],
  })
  const source: ToolSource = {
    id,
    origin,
    load,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const change = (next: readonly string[]) => {
    current = next
    for (const listener of listeners) listener()
  }
  return { source, change, listeners }
}

test('S0.3 S0.4 tools of a source come, go and are replaced as it changes; the first source keeps a name', async () => {
  const mine = changingSource('mine', 'user', ['a', 'b'])
  const theirs = changingSource('theirs', 'project', ['b', 'c'])
  const home = await exampleHome({ sources: [theirs.source, mine.source] })
  const host = await home.host(temporaryFolder())
  const ownerOf = (name: string) => host.registry.snapshot().find(name)?.source
  expect(['a', 'b', 'c'].map(ownerOf)).toEqual(['mine', 'mine', 'theirs'])
  expect(host.registry.snapshot().skipped).toMatchObject([{ source: 'theirs', reason: expect.stringContaining('"b"') }])
  mine.change(['a'])
  await expect.poll(() => ownerOf('b')).toBe('theirs')
  theirs.change([])
  await expect.poll(() => ownerOf('c')).toBeUndefined()
  expect(ownerOf('a')).toBe('mine')
  await home.close()
  expect([mine.listeners.size, theirs.listeners.size]).toEqual([0, 0])
})

test('a source that cannot be loaded is reported and does not affect others', async () => {
  const broken: ToolSource = { id: 'broken', origin: 'user', load: () => Promise.reject(new Error('no such folder')) }
  const home = await exampleHome({ sources: [broken, changingSource('mine', 'user', ['a']).source] })
  const { skipped, find } = (await home.host(temporaryFolder())).registry.snapshot()
  expect(skipped).toEqual([{ source: 'broken', reason: 'no such folder' }])
  expect(find('a')).toBeDefined()
})

test('a session is deleted with its outputs, but not while one of its calls runs', async () => {
  const home = await exampleHome()
  const host = await home.host(temporaryFolder())
  const session = await host.session()
  await session.call('write_note', NOTE, { decision: 'allow' })
  const stop = new AbortController()
  const running = session.call('hang', {}, { signal: stop.signal })
  await expect.poll(async () => (await host.log.calls({ tool: 'hang' }))[0]?.ran).toBe(true)
  expect(await home.deleteSession(session.id)).toMatchObject({ code: 'CONFLICT' })
  stop.abort()
  await running
  expect(await home.deleteSession(session.id)).toBeUndefined()
  expect(await home.log.sessions({ session: session.id })).toEqual([])
  expect((await home.log.calls({ session: session.id })).map((call) => call.tool)).toEqual(['write_note'])
})

test('the port that no tool may reach is that of the settings', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'settings.toml'), '[server]\nport = 5151\n')
  const host = await (await exampleHome({ home: folder })).host(temporaryFolder())
  const decide = async (port: number) => (await host.check('shell', { command: `curl 127.0.0.1:${port}` })).decision
  expect(await decide(5151)).toBe('deny')
  expect(await decide(4242)).not.toBe('deny')
})

test('three processes that write one file wait for each other or end in CONFLICT, and no update is lost', async () => {
  const [workspace, home] = [temporaryFolder(), temporaryFolder()]
  const file = join(workspace, 'number.txt')
  writeFileSync(file, '0')
  const script = join(import.meta.dirname, '../../support/counting-writer.ts')
  const run = () => promisify(execFile)(process.execPath, [script, workspace, home, 'number.txt', '40'])
  const worked = await Promise.all([run(), run(), run()])
  const total = worked.reduce((sum, { stdout }) => sum + Number(stdout), 0)
  expect(Number(readFileSync(file, 'utf8'))).toBe(total)
  expect(total).toBeGreaterThan(40)
})
