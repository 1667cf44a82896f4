import type { DatabaseSync } from 'node:sqlite'
import { createPending, hasPending, type Pending, shiftPending } from './pending.ts'
import { BLOCK, type Sequence } from './sequence.ts'
import { describeTrouble, unavailable } from './trouble.ts'

/** How long an event may wait when nobody waits for it, in milliseconds; well under the 50 that are promised. */
const DELAY = 25
/** How long to wait before writing is tried again after it failed. */
const RETRY_DELAY = 1_000
/** How many events are kept while they cannot be written. */
const MAX_KEPT = 20_000

/** Writes what waits: soon, at once, or when the first of many asks for it. */
export interface WriteBehind {
  /** What waits now; empty after a flush that worked. */
  pending(): Pending
  /** To be called after something was added, with the time it was. */
  added(at: number): void
  /** Resolves when all that was added is committed; those who wait at the same time share the transaction. */
  commit(): Promise<void>
  /** Writes now; false when it cannot be. Never throws. */
  flush(): boolean
  trouble(): string | undefined
  /** Writes a last time; what is added later goes nowhere. */
  stop(): void
}

/** What writing needs. */
export interface WriteBehindParts {
  readonly database: DatabaseSync
  readonly path: string
  readonly sequence: Sequence
  write(pending: Pending): void
  /** Called before the first write. */
  prepare(): void
  /** Called after each commit, with about how many characters it wrote. */
  committed(characters: number): void
  /** Hears when writing begins to fail, and undefined when it works again. */
  onTrouble(trouble: string | undefined): void
}

/** Makes the writer of one process. */
export function createWriteBehind(parts: WriteBehindParts): WriteBehind {
  const { path, onTrouble } = parts
  let pending = createPending()
  let trouble: string | undefined
  let timer: NodeJS.Timeout | undefined
  let group: PromiseWithResolvers<void> | undefined
  let stopped = false
  /** When the first of what waits was added: a loop that lets no timer run is not let to wait longer either. */
  let since = 0

  const flush = (): boolean => {
    clearTimeout(timer)
    timer = undefined
    if (stopped) return false
    if (!hasPending(pending)) return trouble === undefined
    try {
      parts.prepare()
      writeTransaction(parts, pending)
    } catch (thrown) {
      fail(describeTrouble(thrown, path))
      return false
    }
    parts.committed(pending.characters)
    pending = createPending()
    if (trouble !== undefined) {
      trouble = undefined
      onTrouble(undefined)
    }
    return true
  }
  const fail = (words: string): void => {
    const isNew = trouble === undefined
    trouble = words
    if (pending.count > MAX_KEPT) dropEvents(pending)
    timer = setTimeout(flush, RETRY_DELAY)
    timer.unref()
    if (isNew) onTrouble(words)
  }
  const flushGroup = (): void => {
    const waiting = group
    group = undefined
    if (flush()) waiting?.resolve()
    else waiting?.reject(unavailable(trouble ?? 'The log cannot be written.'))
  }
  return {
    pending: () => pending,
    added(at) {
      if (timer === undefined) {
        since = at
        if (!stopped) timer = setTimeout(flush, DELAY)
      } else if (trouble === undefined && (pending.count >= BLOCK || at - since >= DELAY)) flush()
    },
    commit() {
      if (!group) {
        group = Promise.withResolvers<void>()
        setImmediate(flushGroup)
      }
      return group.promise
    },
    flush,
    trouble: () => trouble,
    stop() {
      flush()
      clearTimeout(timer)
      stopped = true
    },
  }
}

function writeTransaction({ database, sequence, write }: WriteBehindParts, pending: Pending): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    const collision = sequence.collision()
    if (collision.by > 0) {
      shiftPending(pending, collision)
      sequence.move(collision.by)
    }
    sequence.settle()
    write(pending)
    database.exec('COMMIT')
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw thrown
  }
  sequence.settled()
}

/** Past the limit the events go, the lines of their calls stay. */
function dropEvents(pending: Pending): void {
  pending.chunks.clear()
  pending.count = 0
}
