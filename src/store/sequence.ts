import type { DatabaseSync } from 'node:sqlite'

/** Places in the log, unique over all processes that write one file. */
export interface Sequence {
  /** The next place; takes a block from the file when none is held. Never throws: without the file it counts on alone. */
  next(): number
  /** Inside a transaction: the places from `from` on that were counted alone and must move by `by`, since others took them. */
  collision(): { readonly from: number; readonly by: number }
  /** Moves what was counted alone. */
  move(by: number): void
  /** Inside the transaction that writes the events: gives back what is left, so that other processes go on from there. */
  settle(): void
  /** After that transaction: forgets the block. */
  settled(): void
}

/** How many places a block has; also the most events that wait to be written. */
export const BLOCK = 4_096

/** Makes the sequence of one process. A block is held from the first event of a batch to its commit, so places follow time. */
export function createSequence(database: DatabaseSync, durable: 'process' | 'machine'): Sequence {
  const take = database.prepare('UPDATE counter SET next = next + ? RETURNING next')
  const giveBack = database.prepare('UPDATE counter SET next = ? WHERE next = ?')
  const raise = database.prepare('UPDATE counter SET next = max(next, ?)')
  const read = database.prepare('SELECT next FROM counter')
  let next = Number(read.get()?.next)
  let end = 0
  /** The first place that was counted without the file; 0 when all are reserved. */
  let alone = 0

  const reserve = (): void => {
    try {
      // All rows, not the first: only a statement that has run to its end has committed.
      const [row] = withoutSync(database, durable, () => take.all(BLOCK))
      end = Number(row?.next)
      next = end - BLOCK
    } catch {
      alone = next
      end = Number.MAX_SAFE_INTEGER
    }
  }
  return {
    next() {
      if (next >= end) reserve()
      return next++
    },
    collision: () => ({ from: alone, by: alone === 0 ? 0 : Math.max(0, Number(read.get()?.next) - alone) }),
    move(by) {
      alone += by
      next += by
    },
    settle() {
      if (alone === 0) giveBack.run(next, end)
      else raise.run(next)
    },
    settled() {
      end = 0
      alone = 0
    },
  }
}

/** Taking a block need not reach the disk before the events do: the commit that writes them syncs the whole WAL. */
function withoutSync<T>(database: DatabaseSync, durable: 'process' | 'machine', work: () => T): T {
  if (durable === 'process') return work()
  database.exec('PRAGMA synchronous = NORMAL')
  try {
    return work()
  } finally {
    database.exec('PRAGMA synchronous = FULL')
  }
}
