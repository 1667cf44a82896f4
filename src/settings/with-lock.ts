import { closeSync, openSync } from 'node:fs'

/** How long a change waits for other processes, in milliseconds. */
const BUSY_TIMEOUT = 5_000

/** Runs while no other process does; the system lets go of the lock when a process ends, however it ends. */
export function withLock(path: string, work: () => void): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  closeSync(openSync(path, 'a', 0o600))
  const lock = new DatabaseSync(path, { timeout: BUSY_TIMEOUT })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    work()
  } finally {
    lock.close()
  }
}
