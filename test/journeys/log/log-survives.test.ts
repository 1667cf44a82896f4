import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openSqliteStorage } from '../../../src/store/sqlite/open-storage.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const WORKER = join(import.meta.dirname, '../../support/store-worker.ts')
const HOST_WORKER = join(import.meta.dirname, '../../support/host-worker.ts')
const ROUNDS = 50
const CALLS = 1_000
/** What a none or read call may lose, in milliseconds. */
const BEHIND = 50

interface Round {
  readonly acknowledged: readonly string[]
  readonly reads: readonly { call: string; at: number }[]
  readonly killedAt: number
}

test(`S0.12 loses nothing it acknowledged when it is killed at any moment: ${ROUNDS} rounds, two processes`, {
  timeout: 300_000,
}, async () => {
  const home = temporaryFolder()
  const path = join(home, 'log.db')
  const effects = join(home, 'effects')
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push(...(await Promise.all([0, 1].map((one) => killedRound([path, effects, `s${round}-${one}`])))))

  const database = new DatabaseSync(path, { readOnly: true })
  const ledger = new Set(
    database
      .prepare('SELECT call FROM ledger JOIN calls USING (cursor)')
      .all()
      .map((row) => String(row.call)),
  )
  const ended = new Set(
    database
      .prepare(`SELECT call FROM calls WHERE outcome IS NOT NULL
         UNION ALL SELECT value ->> 1 FROM quiet_calls, json_each(body)`)
      .all()
      .map((row) => String(row.call)),
  )
  const done = readFileSync(effects, 'utf8').trim().split('\n')
  expect(
    done.filter((call) => !ledger.has(call)),
    'effects without a ledger row',
  ).toEqual([])
  expect(
    rounds.flatMap((round) => round.acknowledged).filter((call) => !ended.has(call)),
    'acknowledged and lost',
  ).toEqual([])
  const due = rounds.flatMap(({ reads, killedAt }) => reads.filter(({ at }) => at < killedAt - BEHIND))
  expect(
    due.filter(({ call }) => !ended.has(call)),
    'reads older than 50 ms and lost',
  ).toEqual([])
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(done.length).toBeGreaterThan(ROUNDS)
  expect(due.length).toBeGreaterThan(ROUNDS)
  database.close()
  await endedOnce(path, new Set(done))
})

/** After the next start no call is open, and every effect that was not acknowledged is INTERRUPTED or ended. */
async function endedOnce(path: string, done: ReadonlySet<string>): Promise<void> {
  const { log, close } = openSqliteStorage({ path })
  const cursors = (await log.read()).map(({ cursor }) => cursor ?? 0)
  expect(cursors).toEqual([...new Set(cursors)].sort((a, b) => a - b))
  const calls = await log.calls({ limit: 1_000_000 })
  expect(calls.filter(({ outcome }) => outcome === null)).toEqual([])
  expect(calls.filter(({ outcome }) => outcome === 'INTERRUPTED').length).toBeGreaterThan(0)
  const wrongly = calls.filter(({ outcome, call }) => done.has(call) && outcome !== 'ok' && outcome !== 'INTERRUPTED')
  expect(wrongly).toEqual([])
  close()
}

/** What a process printed about its calls, killed at a moment spread over the time they take. */
async function killedRound(args: readonly string[]): Promise<Round> {
  const text = await killed(WORKER, [...args, String(CALLS)], Math.random() * 250)
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' '))
  const of = (kind: string) =>
    lines.filter(([what]) => what === kind).map(([, call = '', at = '']) => ({ call, at: Number(at) }))
  const last = Math.max(0, ...lines.map(([, , at]) => Number(at ?? 0)))
  return { acknowledged: of('acknowledged').map(({ call }) => call), reads: of('read'), killedAt: last }
}

/** Starts a process, kills it so many milliseconds after its first output, and gives back all of it. */
async function killed(program: string, args: readonly string[], moment: number): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = collect(child)
  await said.first
  const timer = setTimeout(() => child.kill('SIGKILL'), moment)
  await once(child, 'close')
  clearTimeout(timer)
  return said.text()
}

function collect(child: ChildProcess): { first: Promise<void>; text(): string } {
  let text = ''
  const { promise, resolve } = Promise.withResolvers<void>()
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
    resolve()
  })
  child.once('close', () => resolve())
  return { first: promise, text: () => text }
}

test('the worker of the kill test ends by itself with all calls made', { timeout: 60_000 }, async () => {
  const home = temporaryFolder()
  const path = join(home, 'log.db')
  const child = spawn(process.execPath, [WORKER, path, join(home, 'effects'), 's', '100'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  const { log, close } = openSqliteStorage({ path })
  expect(await log.calls({ outcome: 'ok', limit: 1_000 })).toHaveLength(100)
  expect(existsSync(join(home, 'owners'))).toBe(true)
  close()
})

test('S0.12 killed while it writes files: none is half written, each is in the ledger, each answered one is there', {
  timeout: 120_000,
}, async () => {
  const home = join(temporaryFolder(), 'home')
  const workspace = temporaryFolder()
  const answered: string[] = []
  for (let round = 0; round < 10; round++) {
    const said = await Promise.all(
      [0, 1].map((one) => killed(HOST_WORKER, [home, workspace, `f${round}-${one}`], Math.random() * 200)),
    )
    for (const text of said)
      answered.push(
        ...text
          .split('\n')
          .slice(0, -1)
          .flatMap((line) => /^answered (.+)$/.exec(line)?.[1] ?? []),
      )
  }
  const files = readdirSync(workspace).filter((file) => !file.startsWith('.haft-'))
  const broken = files.filter((file) => readFileSync(join(workspace, file), 'utf8') !== `${file}\n`.repeat(20_000))
  expect(broken).toEqual([])
  expect(answered.filter((file) => !files.includes(file))).toEqual([])
  expect(answered.length).toBeGreaterThan(20)
  const { log, close } = openSqliteStorage({ path: join(home, 'log.db') })
  const database = new DatabaseSync(join(home, 'log.db'), { readOnly: true })
  const written = database
    .prepare('SELECT c.arguments FROM ledger JOIN calls c USING (cursor)')
    .all()
    .map((row) => String(row.arguments))
  const known = new Set(written.map((text) => /"path":"([^"]+)"/.exec(text)?.[1]))
  expect(files.filter((file) => !known.has(file))).toEqual([])
  const calls = await log.calls({ limit: 1_000_000 })
  expect(calls.filter(({ outcome }) => outcome !== 'ok' && outcome !== 'INTERRUPTED')).toEqual([])
  database.close()
  close()
})
