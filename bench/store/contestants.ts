import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { EventBody } from '../../src/core/session/event.ts'
import { openSqliteStorage } from '../../src/store/sqlite/open-storage.ts'
import type { Contestant } from '../lib/contestant.ts'
import { type Caller, serveOrders } from '../lib/serve-orders.ts'
import { HAFT_BEHIND, HAFT_DURABLE, HAFT_MACHINE, RAW_FULL, RAW_NORMAL } from './names.ts'

/** About 500 bytes as JSON: what an event of a tool call weighs. */
const event = (): EventBody => ({ type: 'call-problem', session: 's_1', call: 'c_1', text: 'y'.repeat(400) })

/** Everybody keeps one event a call; the file lies in a folder that goes when the process does. */
export const contestants: readonly Contestant<Caller>[] = [
  { name: 'append to a file, no sync', start: startFile },
  { name: RAW_NORMAL, start: () => startRaw('NORMAL') },
  { name: RAW_FULL, start: () => startRaw('FULL') },
  { name: HAFT_BEHIND, start: () => startHaft('process', false) },
  { name: HAFT_DURABLE, start: () => startHaft('process', true) },
  { name: HAFT_MACHINE, start: () => startHaft('machine', true) },
]

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'haft-bench-store-'))
  process.on('exit', () => rmSync(made, { recursive: true, force: true }))
  process.on('SIGTERM', () => process.exit())
  return made
}

async function startFile(): Promise<Caller> {
  const file = openSync(join(folder(), 'log'), 'a')
  process.on('exit', () => closeSync(file))
  return { call: () => writeSync(file, `${JSON.stringify(event())}\n`) }
}

async function startRaw(synchronous: 'NORMAL' | 'FULL'): Promise<Caller> {
  const database = new DatabaseSync(join(folder(), 'log.db'))
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`)
  database.exec(
    'CREATE TABLE events (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, session TEXT NOT NULL, body TEXT NOT NULL)',
  )
  const insert = database.prepare('INSERT INTO events (at, session, body) VALUES (?, ?, ?)')
  return { call: () => insert.run(Date.now(), 's_1', JSON.stringify(event())) }
}

async function startHaft(durable: 'process' | 'machine', waits: boolean): Promise<Caller> {
  const { log } = openSqliteStorage({
    path: join(folder(), 'log.db'),
    durable,
    onProblem(problem) {
      throw new Error(problem)
    },
  })
  return {
    call() {
      log.append(event())
      return waits ? log.flush() : undefined
    },
  }
}

if (import.meta.main) await serveOrders(contestants)
