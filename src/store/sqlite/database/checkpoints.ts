import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'

/** Characters after which a thread is started for checkpoints, and between two of them. */
const FIRST = 1_000_000
const EVERY = 3_000_000

/** Moves what was committed from the WAL into the file, off the main thread: it waits for the disk, which may take long. */
export interface Checkpoints {
  /** To be called after a commit, with about how much it wrote. */
  wrote(characters: number): void
  stop(): void
}

/** Starts no thread before much was written: a command that ends soon never pays for one. */
export function createCheckpoints(database: DatabaseSync, path: string): Checkpoints {
  let worker: Worker | undefined
  let failed = false
  let waiting = 0
  const start = (): Worker => {
    const made = new Worker(PROGRAM, { eval: true, workerData: path })
    made.unref()
    made.on('error', () => {
      failed = true
      worker = undefined
      if (database.isOpen) database.exec('PRAGMA wal_autocheckpoint = 1000')
    })
    database.exec('PRAGMA wal_autocheckpoint = 0')
    return made
  }
  return {
    wrote(characters) {
      waiting += characters
      if (failed || waiting < (worker ? EVERY : FIRST)) return
      waiting = 0
      worker ??= start()
      worker.postMessage('checkpoint')
    },
    stop: () => void worker?.terminate(),
  }
}

/** Kept as text, so that it needs no file of its own beside the bundle. PASSIVE: it never makes a writer wait. */
const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  const database = new DatabaseSync(workerData, { timeout: 5000 })
  parentPort.on('message', () => database.exec('PRAGMA wal_checkpoint(PASSIVE)'))
`
