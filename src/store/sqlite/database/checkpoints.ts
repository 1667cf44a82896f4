import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'

/** The written characters after which the checkpoint thread starts, and between two checkpoints. */
const FIRST = 1_000_000
const EVERY = 3_000_000

/** Moves committed data from the WAL into the file in another thread, since it waits for the disk. */
export interface Checkpoints {
  /** Called after a commit with the approximate number of characters written. */
  wrote(characters: number): void
  stop(): void
}

/** Creates the checkpoints. The thread starts only after much was written, so short commands never need it. */
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

/** The thread's code, as text so that the bundle needs no second file. PASSIVE never makes a writer wait. */
const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  const database = new DatabaseSync(workerData, { timeout: 5000 })
  parentPort.on('message', () => database.exec('PRAGMA wal_checkpoint(PASSIVE)'))
`
