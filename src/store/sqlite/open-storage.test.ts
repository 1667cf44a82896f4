import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { appendCall, callEvents, withoutCursors } from '../../../test/support/call-events.ts'
import { NO_SMALL_DISK, smallDisk } from '../../../test/support/small-disk.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { ToolError } from '../../core/call/result.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { refuseOldSqlite } from './database/open-database.ts'
import { openSqliteStorage, type SqliteOptions } from './open-storage.ts'

function open(options: SqliteOptions): Storage {
  const storage = openSqliteStorage(options)
  onTestFinished(() => storage.close())
  return storage
}

const ledgerEntry = (call: string) => ({ session: 's1', call, effect: 'write', idempotent: false }) as const

/** What the pipeline sees of a call that needs the ledger: the refusal, or undefined when it may run. */
async function refusalOf({ log, ledger }: Storage, call: string): Promise<ToolError | undefined> {
  for (const body of callEvents({ call }).slice(0, 3)) log.append(body)
  return ledger.begin(ledgerEntry(call)).then(
    () => undefined,
    (thrown: unknown) => (thrown instanceof ToolError ? thrown : Promise.reject(thrown)),
  )
}

describe('opening the log', () => {
  it('makes a folder and files that only their owner can read', async () => {
    const home = join(temporaryFolder(), 'deep', 'home')
    const { log } = open({ path: join(home, 'log.db') })
    appendCall(log, { call: 'c1' })
    expect(await log.calls()).toHaveLength(1)
    expect(statSync(home).mode & 0o777).toBe(0o700)
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['log.db-wal', 'log.db-wake']))
    for (const { parentPath, name } of files) expect(statSync(join(parentPath, name)).mode & 0o777, name).toBe(0o600)
  })

  it('finds everything again after it was closed, and counts on from there', async () => {
    const path = join(temporaryFolder(), 'log.db')
    const first = openSqliteStorage({ path })
    const before = appendCall(first.log, { call: 'c1' })
    await first.outputs.keep('c1', 'a\nb')
    first.close()
    const second = open({ path })
    const after = appendCall(second.log, { call: 'c2' })
    const events = await second.log.read()
    expect(withoutCursors(events)).toEqual([...before, ...after])
    expect(events.map(({ cursor }) => cursor)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect((await second.outputs.read('c1', 1, 9))?.lines).toEqual(['a', 'b'])
  })

  it('refuses a file of a newer Haft, and leaves it as it is', () => {
    const path = join(temporaryFolder(), 'log.db')
    openSqliteStorage({ path }).close()
    const database = new DatabaseSync(path)
    database.exec('INSERT INTO migrations VALUES (99, 0)')
    database.close()
    expect(() => openSqliteStorage({ path })).toThrow(/written by a newer Haft \(format 99; this one knows \d+\)/)
  })

  it('refuses a SQLite that can damage a shared file', () => {
    expect(() => refuseOldSqlite('3.51.2')).toThrow(/needs SQLite 3\.51\.3 or later; this Node has 3\.51\.2/)
    expect(() => refuseOldSqlite('3.9.99')).toThrow()
    for (const fine of ['3.51.3', '3.52.0', '4.0.0']) expect(() => refuseOldSqlite(fine)).not.toThrow()
  })
})

it('moves what was committed into the file while it goes on writing, in a thread of its own', async () => {
  const path = join(temporaryFolder(), 'log.db')
  const { log } = open({ path })
  for (let i = 0; i < 600; i++) {
    appendCall(log, { call: `c${i}`, arguments: { text: 'x'.repeat(10_000) } })
    await log.flush()
  }
  await vi.waitFor(() => expect(statSync(path).size).toBeGreaterThan(3_000_000), 20_000)
  appendCall(log, { call: 'last' })
  expect(await log.calls({ call: 'last' })).toHaveLength(1)
})

describe('a log that cannot be written', () => {
  it.each([
    ['a file that is no database while another process may use it', /not a Haft log\. Move it away/, breakWhole],
    ['a damaged database that another process may use', /damaged\. Move it away/, breakPages],
  ])('%s: says so, refuses calls that need the ledger, lets reads go on', async (_, words, breakFile) => {
    const path = join(temporaryFolder(), 'log.db')
    breakFile(path)
    const other = open({ path: join(path, '../other.db') })
    appendCall(other.log, { call: 'c0' })
    await other.log.flush()
    const problems: unknown[] = []
    const storage = open({ path, onProblem: (problem) => problems.push(problem) })
    const { log } = storage
    appendCall(log, { call: 'c1' })
    expect(await refusalOf(storage, 'c2')).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringMatching(words) })
    expect(log.problem()).toMatch(words)
    expect(problems).toEqual([log.problem()])
    expect(log.problem()).toContain(path)
    expect((await log.read()).filter((event) => 'call' in event && event.call === 'c1')).toHaveLength(4)
  })

  it('a file where the folder should be: the same', async () => {
    const home = join(temporaryFolder(), 'home')
    writeFileSync(home, 'in the way')
    const storage = open({ path: join(home, 'log.db') })
    expect(await refusalOf(storage, 'c1')).toMatchObject({ code: 'UNAVAILABLE' })
    expect(storage.log.problem()).toMatch(/there is a file in place of its folder/)
  })

  it('a read-only home: the same', async ({ skip }) => {
    const disk = smallDisk(2_000)
    if (!disk) return skip(NO_SMALL_DISK)
    disk.remount('ro')
    const storage = open({ path: join(disk.folder, 'home', 'log.db') })
    expect(await refusalOf(storage, 'c1')).toMatchObject({ code: 'UNAVAILABLE' })
    expect(storage.log.problem()).toMatch(/read-only/)
    appendCall(storage.log, { call: 'c2' })
    expect(await storage.log.calls({ call: 'c2' })).toHaveLength(1)
  })

  it('a home that becomes read-only: the same', async ({ skip }) => {
    const disk = smallDisk(2_000)
    if (!disk) return skip(NO_SMALL_DISK)
    const path = join(disk.folder, 'log.db')
    openSqliteStorage({ path }).close()
    disk.remount('ro')
    const storage = open({ path })
    expect(await refusalOf(storage, 'c1')).toMatchObject({ code: 'UNAVAILABLE' })
    appendCall(storage.log, { call: 'c2' })
    expect(await storage.log.calls({ call: 'c2' })).toHaveLength(1)
  })

  it('a full disk: the same, and when there is room again everything is written, each at its own place', async ({
    skip,
  }) => {
    const disk = smallDisk(1_500)
    if (!disk) return skip(NO_SMALL_DISK)
    const path = join(disk.folder, 'log.db')
    const problems: (string | undefined)[] = []
    const storage = open({ path, onProblem: (problem) => problems.push(problem) })
    const one = storage.log
    const other = open({ path }).log
    appendCall(one, { call: 'before' })
    await one.flush()
    const ballast = join(disk.folder, 'ballast')
    fill(ballast)

    const big = { text: 'x'.repeat(20_000) }
    for (const log of [one, other])
      for (let i = 0; i < 5; i++)
        appendCall(log, { call: `${log === one}${i}`, session: log === one ? 'a' : 'b', arguments: big })
    expect(await refusalOf(storage, 'refused')).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/disk is full/),
    })
    await expect(other.flush()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await one.calls({ session: 'a' })).toHaveLength(5)
    expect((await one.read({ session: 'a' })).map(({ cursor }) => cursor)).toEqual(Array(20).fill(undefined))
    expect((await one.sessions()).map(({ session }) => session)).toContain('a')
    expect(await one.sessions({ workspace: '/elsewhere' })).toEqual([])
    expect(problems).toEqual([expect.stringMatching(/disk is full/)])

    rmSync(ballast)
    await other.flush()
    await one.flush()
    expect(problems.at(-1)).toBeUndefined()
    expect(one.problem()).toBeUndefined()
    const events = await one.read()
    expect(new Set(events.map(({ cursor }) => cursor)).size).toBe(events.length)
    expect(await one.read({ session: 'a' })).toHaveLength(20)
    expect(await one.read({ session: 'b' })).toHaveLength(20)
    const ledger = new DatabaseSync(path).prepare('SELECT count(*) AS rows FROM ledger').get()
    expect(ledger).toEqual({ rows: 0 })
  })
})

describe('calls that a dead process left open', () => {
  const WORKER = `
    import { openSqliteStorage } from '${join(import.meta.dirname, 'open-storage.ts')}'
    import { callEvents } from '${join(import.meta.dirname, '../../../test/support/call-events.ts')}'
    const { log, ledger } = openSqliteStorage({ path: process.argv[1] })
    for (const body of callEvents({ call: 'waiting' }).slice(0, 2)) log.append(body)
    log.append({ type: 'task-start', session: 's1', call: 'waiting' })
    for (const [call, idempotent] of [['once', false], ['again', true]]) {
      for (const body of callEvents({ call }).slice(0, 3)) log.append(body)
      await ledger.begin({ session: 's1', call, effect: 'write', idempotent })
    }
    console.log('begun')
    setInterval(() => {}, 1000)`

  it('become INTERRUPTED at the next start, and say what is known of them; the living keep theirs', async () => {
    const path = join(temporaryFolder(), 'log.db')
    const child = spawn(process.execPath, ['--input-type=module', '-e', WORKER, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    const beside = open({ path }).log
    expect((await beside.calls()).map(({ outcome }) => outcome)).toEqual([null, null, null])

    child.kill('SIGKILL')
    await once(child, 'close')
    const { log } = open({ path })
    expect((await log.calls()).map(({ outcome }) => outcome)).toEqual(['INTERRUPTED', 'INTERRUPTED', 'INTERRUPTED'])
    expect(await log.calls({ isTask: true })).toMatchObject([{ call: 'waiting', task: 'ended' }])
    const resultOf = async (call: string) => {
      const end = (await log.read({ call })).at(-1)
      return end?.type === 'call-end' ? end.result : undefined
    }
    expect(await resultOf('waiting')).toMatchObject({
      code: 'INTERRUPTED',
      retryable: true,
      details: { fate: 'not run' },
    })
    expect(await resultOf('once')).toMatchObject({
      code: 'INTERRUPTED',
      retryable: false,
      details: { fate: 'unknown' },
    })
    expect(await resultOf('again')).toMatchObject({
      code: 'INTERRUPTED',
      retryable: true,
      details: { fate: 'repeatable' },
    })
    open({ path })
    expect((await log.read()).filter(({ type }) => type === 'call-end')).toHaveLength(3)
  })

  it('are not those of another storage in this very process', async () => {
    const path = join(temporaryFolder(), 'log.db')
    const one = open({ path })
    for (const body of callEvents({ call: 'c1' }).slice(0, 3)) one.log.append(body)
    expect(await one.log.calls()).toHaveLength(1)
    const other = open({ path })
    expect(await other.log.calls()).toMatchObject([{ outcome: null }])
    for (const body of callEvents({ call: 'c1' }).slice(3)) one.log.append(body)
    one.close()
    expect(await open({ path }).log.calls()).toMatchObject([{ outcome: 'ok' }])
  })
})

function breakWhole(path: string): void {
  writeFileSync(path, 'this was never a database. '.repeat(500))
}

function breakPages(path: string): void {
  const { log, close } = openSqliteStorage({ path })
  for (let i = 0; i < 500; i++) appendCall(log, { call: `c${i}` })
  close()
  const file = openSync(path, 'r+')
  for (let page = 1; page < statSync(path).size / 4096; page++)
    writeSync(file, Buffer.alloc(2_000, 0xff), 0, 2_000, page * 4096)
  closeSync(file)
}

function fill(path: string): void {
  mkdirSync(join(path, '..'), { recursive: true })
  const file = openSync(path, 'w')
  try {
    for (;;) writeSync(file, Buffer.alloc(4096, 1))
  } catch {
    // Full, as it should be.
  } finally {
    closeSync(file)
  }
}
