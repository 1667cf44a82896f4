import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { appendCall, callEvents } from '../../test/support/call-events.ts'
import { temporaryFolder } from '../../test/support/example-host.ts'
import { NO_SMALL_DISK, smallDisk } from '../../test/support/small-disk.ts'
import { ToolError } from '../core/result.ts'
import type { Store } from '../core/store.ts'
import { refuseOldSqlite } from './open-database.ts'
import { openSqliteStore, type SqliteOptions } from './sqlite.ts'

function open(options: SqliteOptions): Store {
  const store = openSqliteStore(options)
  onTestFinished(() => store.close())
  return store
}

const ledgerEntry = (call: string) => ({ session: 's1', call, effect: 'write', idempotent: false }) as const

/** What the corridor sees of a call that needs the ledger: the refusal, or undefined when it may run. */
async function refusalOf(store: Store, call: string): Promise<ToolError | undefined> {
  for (const body of callEvents({ call }).slice(0, 3)) store.append(body)
  return store.begin(ledgerEntry(call)).then(
    () => undefined,
    (thrown: unknown) => (thrown instanceof ToolError ? thrown : Promise.reject(thrown)),
  )
}

describe('opening the log', () => {
  it('makes a folder and files that only their owner can read', () => {
    const home = join(temporaryFolder(), 'deep', 'home')
    const store = open({ path: join(home, 'log.db') })
    appendCall(store, { call: 'c1' })
    expect(store.calls()).toHaveLength(1)
    expect(statSync(home).mode & 0o777).toBe(0o700)
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(files.map(({ name }) => name)).toContain('log.db-wal')
    for (const { parentPath, name } of files) expect(statSync(join(parentPath, name)).mode & 0o777, name).toBe(0o600)
  })

  it('finds everything again after it was closed, and counts on from there', () => {
    const path = join(temporaryFolder(), 'log.db')
    const first = openSqliteStore({ path })
    const before = appendCall(first, { call: 'c1' })
    first.keepOutput('c1', 'a\nb')
    first.close()
    const second = open({ path })
    const after = appendCall(second, { call: 'c2' })
    expect(second.events()).toEqual([...before, ...after])
    expect(second.events().map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(second.read('c1', 1, 9)?.lines).toEqual(['a', 'b'])
  })

  it('refuses a file of a newer Haft, and leaves it as it is', () => {
    const path = join(temporaryFolder(), 'log.db')
    openSqliteStore({ path }).close()
    const database = new DatabaseSync(path)
    database.exec('INSERT INTO migrations VALUES (99, 0)')
    database.close()
    expect(() => openSqliteStore({ path })).toThrow(/written by a newer Haft \(format 99; this one knows \d+\)/)
  })

  it('refuses a SQLite that can damage a shared file', () => {
    expect(() => refuseOldSqlite('3.51.2')).toThrow(/needs SQLite 3\.51\.3 or later; this Node has 3\.51\.2/)
    expect(() => refuseOldSqlite('3.9.99')).toThrow()
    for (const fine of ['3.51.3', '3.52.0', '4.0.0']) expect(() => refuseOldSqlite(fine)).not.toThrow()
  })
})

it('moves what was committed into the file while it goes on writing, in a thread of its own', async () => {
  const path = join(temporaryFolder(), 'log.db')
  const store = open({ path })
  for (let i = 0; i < 600; i++) {
    appendCall(store, { call: `c${i}`, arguments: { text: 'x'.repeat(10_000) } })
    await store.commit()
  }
  await vi.waitFor(() => expect(statSync(path).size).toBeGreaterThan(3_000_000), 20_000)
  appendCall(store, { call: 'last' })
  expect(store.calls({ call: 'last' })).toHaveLength(1)
})

describe('a log that cannot be written', () => {
  it.each([
    ['a file that is no database', /not a Haft log\. Move it away/, breakWhole],
    ['a damaged database', /damaged\. Move it away/, breakPages],
  ])('%s: says so, refuses calls that need the ledger, lets reads go on', async (_, words, breakFile) => {
    const path = join(temporaryFolder(), 'log.db')
    breakFile(path)
    const said: unknown[] = []
    const store = open({ path, onTrouble: (trouble) => said.push(trouble) })
    appendCall(store, { call: 'c1' })
    expect(await refusalOf(store, 'c2')).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringMatching(words) })
    expect(store.trouble()).toMatch(words)
    expect(said).toEqual([store.trouble()])
    expect(store.trouble()).toContain(path)
    expect(store.events().filter((event) => 'call' in event && event.call === 'c1')).toHaveLength(4)
  })

  it('a file where the folder should be: the same', async () => {
    const home = join(temporaryFolder(), 'home')
    writeFileSync(home, 'in the way')
    const store = open({ path: join(home, 'log.db') })
    expect(await refusalOf(store, 'c1')).toMatchObject({ code: 'UNAVAILABLE' })
    expect(store.trouble()).toMatch(/a file stands where its folder should be/)
  })

  it('a read-only home: the same', async ({ skip }) => {
    const disk = smallDisk(2_000)
    if (!disk) return skip(NO_SMALL_DISK)
    disk.remount('ro')
    const store = open({ path: join(disk.folder, 'home', 'log.db') })
    expect(await refusalOf(store, 'c1')).toMatchObject({ code: 'UNAVAILABLE' })
    expect(store.trouble()).toMatch(/read-only/)
    appendCall(store, { call: 'c2' })
    expect(store.calls({ call: 'c2' })).toHaveLength(1)
  })

  it('a home that becomes read-only: the same', async ({ skip }) => {
    const disk = smallDisk(2_000)
    if (!disk) return skip(NO_SMALL_DISK)
    const path = join(disk.folder, 'log.db')
    openSqliteStore({ path }).close()
    disk.remount('ro')
    const store = open({ path })
    expect(await refusalOf(store, 'c1')).toMatchObject({ code: 'UNAVAILABLE' })
    appendCall(store, { call: 'c2' })
    expect(store.calls({ call: 'c2' })).toHaveLength(1)
  })

  it('a full disk: the same, and when there is room again everything is written, each at its own place', async ({
    skip,
  }) => {
    const disk = smallDisk(1_500)
    if (!disk) return skip(NO_SMALL_DISK)
    const path = join(disk.folder, 'log.db')
    const said: (string | undefined)[] = []
    const one = open({ path, onTrouble: (trouble) => said.push(trouble) })
    const other = open({ path })
    appendCall(one, { call: 'before' })
    await one.commit()
    const ballast = join(disk.folder, 'ballast')
    fill(ballast)

    const big = { text: 'x'.repeat(20_000) }
    for (const store of [one, other])
      for (let i = 0; i < 5; i++)
        appendCall(store, { call: `read${i}`, session: store === one ? 'a' : 'b', arguments: big })
    expect(await refusalOf(one, 'refused')).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/disk is full/),
    })
    await expect(other.commit()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(one.calls({ session: 'a' })).toHaveLength(5)
    expect(one.events({ session: 'a' })).toHaveLength(20)
    expect(one.sessions().map(({ session }) => session)).toContain('a')
    expect(said).toEqual([expect.stringMatching(/disk is full/)])

    rmSync(ballast)
    await other.commit()
    await one.commit()
    expect(said.at(-1)).toBeUndefined()
    expect(one.trouble()).toBeUndefined()
    const events = one.events()
    expect(new Set(events.map(({ seq }) => seq)).size).toBe(events.length)
    expect(one.events({ session: 'a' })).toHaveLength(20)
    expect(one.events({ session: 'b' })).toHaveLength(20)
    const ledger = new DatabaseSync(path).prepare('SELECT count(*) AS rows FROM ledger').get()
    expect(ledger).toEqual({ rows: 0 })
  })
})

describe('calls that a dead process left open', () => {
  const WORKER = `
    import { openSqliteStore } from '${join(import.meta.dirname, 'sqlite.ts')}'
    import { callEvents } from '${join(import.meta.dirname, '../../test/support/call-events.ts')}'
    const store = openSqliteStore({ path: process.argv[1] })
    for (const body of callEvents({ call: 'waiting' }).slice(0, 2)) store.append(body)
    for (const [call, idempotent] of [['once', false], ['again', true]]) {
      for (const body of callEvents({ call }).slice(0, 3)) store.append(body)
      await store.begin({ session: 's1', call, effect: 'write', idempotent })
    }
    console.log('begun')
    setInterval(() => {}, 1000)`

  it('become INTERRUPTED at the next start, and say what is known of them; the living keep theirs', async () => {
    const path = join(temporaryFolder(), 'log.db')
    const child = spawn(process.execPath, ['--input-type=module', '-e', WORKER, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    const beside = open({ path })
    expect(beside.calls().map(({ outcome }) => outcome)).toEqual([null, null, null])

    child.kill('SIGKILL')
    await once(child, 'close')
    const store = open({ path })
    expect(store.calls().map(({ outcome }) => outcome)).toEqual(['INTERRUPTED', 'INTERRUPTED', 'INTERRUPTED'])
    const resultOf = (call: string) => {
      const seq = store.calls({ call })[0]?.seq ?? -1
      const end = store.events({ callSeq: seq }).at(-1)
      return end?.type === 'call-end' ? end.result : undefined
    }
    expect(resultOf('waiting')).toMatchObject({ code: 'INTERRUPTED', retryable: true, details: { fate: 'not run' } })
    expect(resultOf('once')).toMatchObject({ code: 'INTERRUPTED', retryable: false, details: { fate: 'unknown' } })
    expect(resultOf('again')).toMatchObject({ code: 'INTERRUPTED', retryable: true, details: { fate: 'repeatable' } })
    open({ path })
    expect(store.events().filter(({ type }) => type === 'call-end')).toHaveLength(3)
  })

  it('are not those of another store in this very process', () => {
    const path = join(temporaryFolder(), 'log.db')
    const one = open({ path })
    for (const body of callEvents({ call: 'c1' }).slice(0, 3)) one.append(body)
    expect(one.calls()).toHaveLength(1)
    const other = open({ path })
    expect(other.calls()).toMatchObject([{ outcome: null }])
    one.append({ type: 'call-end', session: 's1', call: 'c1', duration: 1, result: { ok: true, text: '', data: null } })
    one.close()
    expect(open({ path }).calls()).toMatchObject([{ outcome: 'ok' }])
  })
})

function breakWhole(path: string): void {
  writeFileSync(path, 'this was never a database. '.repeat(500))
}

function breakPages(path: string): void {
  const store = openSqliteStore({ path })
  for (let i = 0; i < 500; i++) appendCall(store, { call: `c${i}` })
  store.close()
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
