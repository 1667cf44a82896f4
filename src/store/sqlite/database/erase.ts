import type { DatabaseSync } from 'node:sqlite'
import { BUSY_TIMEOUT } from './open-database.ts'

/** How often, and at what interval in milliseconds, emptying the WAL is tried again while another process reads. */
const RETRIES = 20
const RETRY_DELAY = 250

/** Removes rows so that nothing of them stays in the file or its WAL. */
export interface Eraser {
  /** Runs statements that write or delete secrets; SQLite then overwrites what they free. */
  overwrite<T>(work: () => T): T
  /** Empties the WAL, which holds earlier versions of pages. Tries again later while another process reads. Never throws. */
  emptyWal(): void
  stop(): void
}

/** Creates the eraser. Only approval requests use it: overwriting every deleted page would slow down retention. */
export function createEraser(database: DatabaseSync): Eraser {
  let timer: NodeJS.Timeout | undefined
  const tryToEmpty = (left: number): void => {
    timer = undefined
    if (!database.isOpen || isEmptied(database) || left === 0) return
    timer = setTimeout(() => tryToEmpty(left - 1), RETRY_DELAY)
    timer.unref()
  }
  return {
    overwrite(work) {
      database.exec('PRAGMA secure_delete = ON')
      try {
        return work()
      } finally {
        database.exec('PRAGMA secure_delete = OFF')
      }
    },
    emptyWal() {
      clearTimeout(timer)
      tryToEmpty(RETRIES)
    },
    stop: () => clearTimeout(timer),
  }
}

/** Moves the WAL into the file and cuts it to nothing, without waiting for other processes. False while one of them uses it. */
function isEmptied(database: DatabaseSync): boolean {
  try {
    database.exec('PRAGMA busy_timeout = 0')
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
  } catch {
    return false
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`)
  }
}
