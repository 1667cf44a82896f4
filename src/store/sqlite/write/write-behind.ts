import type { DatabaseSync } from 'node:sqlite'
import { ToolError } from '../../../core/call/result.ts'
import { describeProblem, unavailable } from '../database/problem.ts'
import { createGroupCommit } from './group-commit.ts'
import { createPending, hasPending, type Pending } from './pending.ts'
import type { EventWriter } from './write-events.ts'

/** How long an event may be pending, in milliseconds; well below the promised 50. */
const DELAY = 25
/** How many events may be pending. */
const MAX_WAITING = 4_096
/** The delay before writing is retried after a failure. */
const RETRY_DELAY = 1_000
/** How many events, and about how many characters, are kept while they cannot be written. */
const MAX_KEPT = 20_000
const MAX_KEPT_TEXT = 64_000_000

/** Writes pending data: after a short delay, at once, or as a group commit. */
export interface WriteBehind {
  /** The pending data; empty after a successful flush. */
  pending(): Pending
  /** Called after something was added, with its time. */
  added(at: number): void
  /** Resolves when everything added is committed; concurrent callers share the transaction. */
  commit(): Promise<void>
  /** Writes now; returns false on failure. Never throws. */
  flush(): boolean
  /** Writes the pending data and does the work in one transaction. Throws UNAVAILABLE or the ToolError of the work; the work is rolled back then. */
  transact<T>(work: () => T): T
  problem(): string | undefined
  /** Writes a last time; later additions are dropped. */
  stop(): void
}

/** The parts that the writer uses. */
export interface WriteBehindParts {
  readonly database: DatabaseSync
  readonly path: string
  readonly events: EventWriter
  write(pending: Pending): void
  /** Called before the first write. */
  prepare(): void
  /** Called after each commit, with about how many characters it wrote. */
  committed(characters: number): void
  /** Called with the reason when writing begins to fail, and with undefined when it works again. */
  onProblem(problem: string | undefined): void
}

/** Creates the writer of one process. */
export function createWriteBehind(parts: WriteBehindParts): WriteBehind {
  const { path, onProblem } = parts
  let pending = createPending()
  let problem: string | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  /** When the oldest pending event was added; a busy loop that blocks timers must not delay it further. */
  let since = 0

  const write = <T>(work: () => T): T => {
    clearTimeout(timer)
    timer = undefined
    let done: T
    try {
      parts.prepare()
      done = writeTransaction(parts, pending, work)
    } catch (thrown) {
      if (thrown instanceof ToolError) timer = setTimeout(flush, DELAY)
      else fail(describeProblem(thrown, path))
      throw thrown
    }
    const { characters, calls } = pending
    for (const call of calls) call.hasRow = true
    pending = createPending()
    parts.committed(characters)
    if (problem !== undefined) {
      problem = undefined
      onProblem(undefined)
    }
    return done
  }
  const flush = (): boolean => {
    clearTimeout(timer)
    timer = undefined
    if (stopped) return false
    // After a failure an empty transaction checks whether writing works again.
    if (!hasPending(pending) && problem === undefined) return true
    try {
      write(() => undefined)
      return true
    } catch {
      return false
    }
  }
  const fail = (words: string): void => {
    const isNew = problem === undefined
    problem = words
    if (pending.count > MAX_KEPT || pending.characters > MAX_KEPT_TEXT) dropEvents(pending)
    timer = setTimeout(flush, RETRY_DELAY)
    timer.unref()
    if (isNew) onProblem(words)
  }
  const group = createGroupCommit(flush, () => unavailable(problem ?? CLOSED))
  return {
    pending: () => pending,
    added(at) {
      if (stopped) pending = createPending()
      else if (timer === undefined) {
        since = at
        timer = setTimeout(flush, DELAY)
      } else if (problem === undefined && (pending.count >= MAX_WAITING || at - since >= DELAY)) flush()
    },
    commit: group.wait,
    flush,
    transact(work) {
      if (stopped) throw unavailable(CLOSED)
      try {
        return write(work)
      } catch (thrown) {
        throw thrown instanceof ToolError ? thrown : unavailable(problem ?? describeProblem(thrown, path))
      }
    },
    problem: () => problem,
    stop() {
      group.run()
      clearTimeout(timer)
      stopped = true
    },
  }
}

const CLOSED = 'The log is closed.'

function writeTransaction<T>({ database, events, write }: WriteBehindParts, pending: Pending, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    events.begin()
    write(pending)
    const done = work()
    events.end()
    database.exec('COMMIT')
    return done
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK')
    // Other processes may use the cursors that were not committed.
    for (const call of pending.calls) if (!call.hasRow) call.record.cursor = undefined
    throw thrown
  }
}

/** Drops events and full outputs beyond the limit; the rows of their calls stay. */
function dropEvents(pending: Pending): void {
  pending.events.clear()
  pending.streams.clear()
  pending.outputs.clear()
  pending.count = 0
  pending.characters = 0
}
