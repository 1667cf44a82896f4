import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStorage } from '../../../src/store/sqlite/open-storage.ts'
import { buildProgram, haft } from '../../support/built-program.ts'
import { appendCall } from '../../support/call-events.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const STORE = join(import.meta.dirname, '../../../src/store/sqlite/open-storage.ts')
const EVENTS = join(import.meta.dirname, '../../support/call-events.ts')

/** Writes 300 calls to a log and ends: cleanly, or by a kill that leaves the journal. */
function makeLog(isKilled: boolean): string {
  const path = join(temporaryFolder(), 'log.db')
  const program = `
    import { openSqliteStorage } from ${JSON.stringify(STORE)}
    import { appendCall } from ${JSON.stringify(EVENTS)}
    for (const part of ['a', 'b']) {
      const storage = openSqliteStorage({ path: ${JSON.stringify(path)} })
      for (let i = 0; i < 150; i++) {
        appendCall(storage.log, { call: part + i, arguments: { text: 'x'.repeat(1000) } })
        if (i % 30 === 29) await storage.log.flush()
      }
      if (part === 'a' || ${!isKilled}) await storage.close()
    }
    process.kill(process.pid, 'SIGKILL')`
  try {
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'ignore', 'inherit'] })
  } catch (thrown) {
    expect(thrown).toMatchObject({ signal: 'SIGKILL' })
  }
  return path
}

/** Overwrites a part of a file. */
function overwrite(path: string, from: number, length: number): void {
  const bytes = readFileSync(path)
  bytes.fill(0xa5, Math.floor(from), Math.floor(from) + length)
  writeFileSync(path, bytes)
}

const sizeOf = (path: string) => readFileSync(path).length

/** Opens a log; returns what it says and how many calls it has. */
async function openLog(path: string): Promise<{ readonly notices: string[]; readonly calls: number }> {
  const notices: string[] = []
  const storage = openSqliteStorage({ path, onNotice: (notice) => notices.push(notice) })
  onTestFinished(() => storage.close?.())
  expect(storage.log.problem()).toBeUndefined()
  appendCall(storage.log, { call: 'new' })
  await storage.log.flush()
  const calls = (await storage.log.calls({ limit: 1_000 })).length - 1
  await storage.close?.()
  return { notices, calls }
}

const damagedFiles = (path: string) => readdirSync(join(path, '..')).filter((name) => name.includes('.damaged-'))

test.each<[string, (path: string) => void]>([
  ['emptied', (path) => writeFileSync(path, '')],
  ['cut in half', (path) => truncateSync(path, Math.floor(sizeOf(path) / 2))],
  ['cut within its header', (path) => truncateSync(path, 50)],
  ['with another header', (path) => overwrite(path, 0, 100)],
  ['with damaged pages', (path) => overwrite(path, sizeOf(path) / 2, 20_000)],
  ['replaced by another file', (path) => writeFileSync(path, 'something else\n'.repeat(1_000))],
])('a log %s is kept aside, a new one begins, and that is said once', async (_, damage) => {
  const path = makeLog(false)
  damage(path)
  const before = readFileSync(path)
  const { notices, calls } = await openLog(path)
  expect(notices).toEqual([expect.stringMatching(/^The log .* was damaged: .* It is kept as .*, and a new log begins/)])
  expect(calls).toBe(0)
  const [kept = '', ...others] = damagedFiles(path)
  expect(others).toEqual([])
  expect(notices[0]).toContain(kept)
  expect(readFileSync(join(path, '..', kept)).equals(before)).toBe(true)
  expect(await openLog(path)).toEqual({ notices: [], calls: 1 })
})

test.each<[string, (path: string) => void, number]>([
  ['a journal with a damaged part', (path) => overwrite(`${path}-wal`, sizeOf(`${path}-wal`) / 2, 5_000), 150],
  ['a journal with a damaged header', (path) => overwrite(`${path}-wal`, 0, 32), 150],
  ['a journal that was cut', (path) => truncateSync(`${path}-wal`, Math.floor(sizeOf(`${path}-wal`) * 0.7)), 150],
  ['a journal that was emptied', (path) => writeFileSync(`${path}-wal`, ''), 150],
])('%s is kept aside and said; what came before is there', async (_, damage, least) => {
  const path = makeLog(true)
  damage(path)
  const before = readFileSync(`${path}-wal`)
  const { notices, calls } = await openLog(path)
  expect(notices).toEqual([expect.stringContaining('The journal of the log is damaged: the last changes')])
  expect(calls).toBeGreaterThanOrEqual(least)
  expect(calls).toBeLessThan(300)
  const kept = damagedFiles(path).find((name) => name.endsWith('-wal')) ?? ''
  expect(readFileSync(join(path, '..', kept)).equals(before)).toBe(true)
  expect((await openLog(path)).notices).toEqual([])
})

test('a log that was emptied beside its journal is kept aside with it', async () => {
  const path = makeLog(true)
  writeFileSync(path, '')
  const before = readFileSync(`${path}-wal`)
  const { notices } = await openLog(path)
  expect(notices).toHaveLength(1)
  const kept = damagedFiles(path).find((name) => name.endsWith('-wal')) ?? ''
  expect(readFileSync(join(path, '..', kept)).equals(before)).toBe(true)
})

test('a log whose process was killed, a new one, and one that was copied are not taken for damaged', async () => {
  const killed = makeLog(true)
  expect(await openLog(killed)).toEqual({ notices: [], calls: 300 })
  expect((await openLog(join(temporaryFolder(), 'home/log.db'))).notices).toEqual([])
  const copy = temporaryFolder()
  cpSync(join(makeLog(true), '..'), copy, { recursive: true })
  rmSync(join(copy, 'log.db-wake'))
  expect(await openLog(join(copy, 'log.db'))).toEqual({ notices: [], calls: 300 })
})

test('a command says at once that the log was damaged, and haft doctor names the file that was kept', async () => {
  const program = buildProgram()
  await haft(program, ['call', 'list_directory', '{"path":"."}'])
  writeFileSync(join(program.home, 'log.db'), '')
  const { code, stderr } = await haft(program, ['log'])
  expect(code).toBe(0)
  const [kept = ''] = damagedFiles(join(program.home, 'log.db'))
  expect(stderr.replace(/\s+/g, ' ')).toContain('was damaged: it is empty.')
  expect(stderr.replace(/\s+/g, '')).toContain(kept)
  const { stdout } = await haft(program, ['doctor', '--json'])
  const { findings } = JSON.parse(stdout)
  expect(findings).toContainEqual(
    expect.objectContaining({ what: 'log', holds: false, seen: expect.stringContaining(kept) }),
  )
})
