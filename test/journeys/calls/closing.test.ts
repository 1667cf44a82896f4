import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Storage } from '../../../src/core/ports/storage.ts'
import { createHost, type Sandbox } from '../../../src/index.ts'
import { createMemoryStorage } from '../../../src/store/memory/memory-storage.ts'
import { openSqliteStorage } from '../../../src/store/sqlite/open-storage.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'
import { openRequest } from '../../support/open-request.ts'

const STORAGES: readonly (readonly [string, () => Storage])[] = [
  ['memory', () => createMemoryStorage()],
  ['SQLite', () => openSqliteStorage({ path: join(temporaryFolder(), 'log.db') })],
]

const NOTE = { path: 'note.txt', text: 'hi' }

test.for(STORAGES)('closing one of two hosts on one %s storage does not affect the other', async ([, open]) => {
  const storage = await open()
  onTestFinished(() => storage.close())
  const [first, second] = [await exampleHost({ storage }), await exampleHost({ storage })]
  expect(await first.call('write_note', NOTE, { decision: 'allow' })).toMatchObject({ ok: true })
  await first.close()
  expect(await second.call('write_note', NOTE, { decision: 'allow' })).toMatchObject({ ok: true })
  expect((await storage.log.calls()).map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual([
    'write_note ok',
    'write_note ok',
  ])
})

test('what a host wrote into a given storage is still there after the host is closed', async () => {
  const path = join(temporaryFolder(), 'log.db')
  const [storage, other] = [await openSqliteStorage({ path }), await openSqliteStorage({ path })]
  onTestFinished(() => {
    storage.close()
    other.close()
  })
  const host = await exampleHost({ storage })
  await host.call('add_numbers', { a: 1, b: 2 })
  await host.close()
  expect((await other.log.calls()).map(({ tool }) => tool)).toEqual(['add_numbers'])
})

test('a host that cannot be created does not close the given storage', async () => {
  const home = temporaryFolder()
  writeFileSync(
    join(home, 'settings.toml'),
    '[[rules]]\nname = "r"\ndecision = "deny"\ntools = ["shell"]\nexamples.deny = ["read_file {\\"path\\":\\"a\\"}"]\n',
  )
  const storage = await openSqliteStorage({ path: join(home, 'other.db') })
  onTestFinished(() => storage.close())
  await expect(createHost({ workspace: temporaryFolder(), home, storage })).rejects.toThrow('examples')
  expect(await storage.log.calls()).toEqual([])
})

test('a given sandbox is not closed with the host', async () => {
  let closed = 0
  const sandbox: Sandbox = {
    run: async () => ({ stdout: 'ran', stderr: '', exitCode: 0, duration: 1, ended: 'exit', mode: 'bare' }),
    examine: async () => [],
    close: async () => void closed++,
  }
  const [first, second] = [await exampleHost({ sandbox }), await exampleHost({ sandbox })]
  await first.close()
  expect(await second.call('shell', { command: 'ls' })).toMatchObject({ ok: true, data: { stdout: 'ran' } })
  await second.close()
  expect(closed).toBe(0)
})

test('a host closes what it opened itself: its log and its sandbox', async () => {
  const home = temporaryFolder()
  const host = await exampleHost({ home })
  expect(await host.call('shell', { command: 'true' })).toMatchObject({ ok: true })
  expect(openFiles(home)).not.toEqual([])
  await host.close()
  expect(openFiles(home)).toEqual([])
  expect(findChildren()).toEqual([])
})

/** The files below a folder that this process holds open. */
function openFiles(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
      return path.startsWith(`${folder}/`) ? [path] : []
    } catch {
      return []
    }
  })
}

/** The sandboxes that this process started and that still live. */
function findChildren(): string[] {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return pids.map((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim()).filter((name) => name === 'bwrap')
}

test('after close every way to call fails with "The host is closed", and nothing is run', async () => {
  const storage = createMemoryStorage()
  const host = await exampleHost({ storage })
  await host.close()
  const before = await storage.log.read()
  const closed = { code: 'CANCELLED', text: expect.stringContaining('The host is closed') }
  expect(await host.call('write_note', NOTE, { decision: 'allow' })).toMatchObject({ ok: false, ...closed })
  expect(await host.call('write_note', NOTE, { decision: 'allow', session: 's' })).toMatchObject({
    ok: false,
    ...closed,
  })
  expect(await host.call('write_note', { ...NOTE, background: true })).toMatchObject({ ok: false, ...closed })
  expect(await host.undo(['c_1'])).toMatchObject({ ok: false, ...closed })
  expect(await host.check('write_note', NOTE)).toMatchObject({ decision: 'deny', ...closed })
  expect(await storage.log.read()).toEqual(before)
  expect(readdirSync(host.workspace)).toEqual([])
})

test('after close no approval request can be answered, checked or awaited here, and it stays open for others', async () => {
  const storage = createMemoryStorage()
  const [closed, asking] = [await exampleHost({ storage }), await exampleHost({ storage, wait: true })]
  const calling = asking.call('write_note', NOTE)
  const { request } = await openRequest(asking)
  await closed.close()
  const text = expect.stringContaining('The host is closed')
  expect(await closed.approvals.answer(request.approval, { approved: true })).toMatchObject({
    code: 'CANCELLED',
    text,
  })
  expect(await closed.approvals.check(request.approval, NOTE)).toEqual(text)
  expect(await closed.approvals.wait(request.approval)).toBe(undefined)
  expect(await asking.approvals.answer(request.approval, { approved: true })).toMatchObject({ ok: true })
  expect(await calling).toMatchObject({ ok: true })
})

test('a listener for approval requests is not called after its host is closed, and a wait ends', async () => {
  const storage = createMemoryStorage()
  const [closed, asking] = [await exampleHost({ storage }), await exampleHost({ storage, wait: true })]
  const heard = vi.fn()
  closed.approvals.on({ asked: heard })
  const first = asking.call('write_note', NOTE)
  const { request } = await openRequest(asking)
  const waiting = closed.approvals.wait(request.approval)
  await closed.close()
  expect(await waiting).toBe(undefined)
  heard.mockClear()
  const here = vi.fn()
  asking.approvals.on({ asked: here })
  await vi.waitFor(() => expect(here).toHaveBeenCalledTimes(1))
  const second = asking.call('write_note', { path: 'other.txt', text: '' })
  await vi.waitFor(() => expect(here).toHaveBeenCalledTimes(2))
  expect(heard).not.toHaveBeenCalled()
  for (const { request: open } of await asking.approvals.list())
    await asking.approvals.answer(open.approval, { approved: false })
  await Promise.all([first, second])
})

test('listeners for approval requests do not read a log that was closed with its host', async () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'later'))
  const host = await exampleHost({ home })
  host.approvals.on({})
  await host.close()
  const other = await exampleHost({ home: join(home, 'later'), wait: true })
  const asked = vi.fn()
  other.approvals.on({ asked })
  const calling = other.call('write_note', NOTE)
  await vi.waitFor(() => expect(asked).toHaveBeenCalled())
  await other.close()
  await calling
})
