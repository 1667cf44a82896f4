import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MIGRATIONS } from './migrations.ts'
import { isBusy, StoreRefusal } from './problem.ts'

/** What a commit survives: a crash of the process, or of the machine. */
export type Durable = 'process' | 'machine'

/** The oldest safe version; earlier ones can damage a WAL file that several processes write. */
const OLDEST_SQLITE = '3.51.3'

/** How long a statement waits for other processes, in milliseconds. */
export const BUSY_TIMEOUT = 5_000

/** Opens the log, creates it if missing, and migrates it. Throws StoreRefusal for a file of a newer version. */
export function openDatabase(path: string, durable: Durable): DatabaseSync {
  refuseOldSqlite(process.versions.sqlite ?? '0')
  makeFile(path)
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT })
  try {
    if (pragma(database, 'journal_mode') !== 'wal') becomeWal(database)
    database.exec(`PRAGMA synchronous = ${durable === 'machine' ? 'FULL' : 'NORMAL'}`)
    migrate(database, path)
    return database
  } catch (thrown) {
    database.close()
    throw thrown
  }
}

/** Throws StoreRefusal for an unsafe version of SQLite. */
export function refuseOldSqlite(version: string): void {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const [oldMajor = 0, oldMinor = 0, oldPatch = 0] = OLDEST_SQLITE.split('.').map(Number)
  const isOld = major - oldMajor || minor - oldMinor || patch - oldPatch
  if (isOld < 0)
    throw new StoreRefusal(
      `Haft needs SQLite ${OLDEST_SQLITE} or later; this Node has ${version}. Update Node to 24.15 or later.`,
    )
}

/** Creates the file only if missing: opening and closing a file that SQLite has open in this process would release its locks. */
function makeFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown
  }
}

/** Retries, because SQLite does not wait when two processes do this to a new file at the same time. */
function becomeWal(database: DatabaseSync): void {
  for (let attempt = 1; ; attempt++) {
    try {
      database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL')
      return
    } catch (thrown) {
      if (!isBusy(thrown) || attempt === 100) throw thrown
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

function migrate(database: DatabaseSync, path: string): void {
  if (versionOf(database, path) === MIGRATIONS.length) return
  database.exec('BEGIN IMMEDIATE')
  try {
    database.exec('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT')
    const done = database.prepare('INSERT INTO migrations VALUES (?, ?)')
    for (let version = versionOf(database, path); version < MIGRATIONS.length; version++) {
      const step = MIGRATIONS[version] ?? ''
      if (typeof step === 'string') database.exec(step)
      else step(database)
      done.run(version + 1, Date.now())
    }
    database.exec('COMMIT')
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw thrown
  }
}

function versionOf(database: DatabaseSync, path: string): number {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get()
  if (table === undefined) return 0
  const version = Number(database.prepare('SELECT max(version) AS version FROM migrations').get()?.version ?? 0)
  if (version > MIGRATIONS.length)
    throw new StoreRefusal(
      `The log ${path} was written by a newer Haft (format ${version}; this one knows ${MIGRATIONS.length}). ` +
        'Update Haft, or set HAFT_HOME to another folder.',
    )
  return version
}

function pragma(database: DatabaseSync, name: string): unknown {
  return database.prepare(`PRAGMA ${name}`).get()?.[name]
}
