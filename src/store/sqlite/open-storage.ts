import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Ledger } from '../../core/ports/ledger.ts'
import type { OutputStore } from '../../core/ports/output-store.ts'
import type { Storage } from '../../core/ports/storage.ts'
import type { EventMask } from '../../core/secrets/mask-event.ts'
import type { Event, EventBody } from '../../core/session/event.ts'
import { countIds } from '../../core/text/count-ids.ts'
import { createMemoryStorage } from '../memory/memory-storage.ts'
import { createApprovals } from './approvals.ts'
import { createCheckpoints } from './database/checkpoints.ts'
import { closeOnExit } from './database/close-on-exit.ts'
import { checkPages, findSilentDamage, noteClosed, setAside } from './database/damage.ts'
import { createEraser } from './database/erase.ts'
import { type Durable, openDatabase } from './database/open-database.ts'
import { describeDamage, describeProblem, StoreRefusal, unavailable } from './database/problem.ts'
import { createFollow } from './follow/follow.ts'
import { createWake } from './follow/wake.ts'
import { createLeases } from './owners/leases.ts'
import { createOwnerLock, isAnyOwnerAlive, type OwnerLock } from './owners/owner-lock.ts'
import { createPathLocks } from './owners/path-locks.ts'
import { endCallsOfTheDead } from './owners/recover.ts'
import { createLogQueries } from './read/log-queries.ts'
import { createOutputReader } from './read/read-output.ts'
import { keepRetention, type Retention } from './retention.ts'
import { createUndoClaims } from './undo-claims.ts'
import { createUndoRecords, MAX_CONTENT } from './undo-records.ts'
import { addEvent, type LiveCalls } from './write/pending.ts'
import { createWriteBehind, type WriteBehind } from './write/write-behind.ts'
import { createEventWriter, type EventWriter } from './write/write-events.ts'
import { createPendingWriter } from './write/write-pending.ts'

/** The options of a log file. */
export interface SqliteOptions {
  /** The path of the file; its folder is created if missing. */
  readonly path: string
  /** What a commit survives: a crash of the process (default), or of the machine. */
  readonly durable?: Durable
  /** Masks secrets before they are written. */
  readonly mask?: EventMask
  /** The largest content kept for undo, in bytes. */
  readonly maxContent?: number
  /** What is removed when it is too old or too large; by default nothing. */
  readonly retention?: Retention
  /** Called with the reason when the log cannot be written, and with undefined when it can be again. */
  onProblem?(problem: string | undefined): void
  /** Called where the log was damaged, with what is missing and where the damaged file is kept. */
  onNotice?(notice: string): void
}

/** Opens a log file and ends the calls that dead processes left open. A damaged log that no other process uses is kept aside, and a new one begins. When the file cannot be used, returns a storage that keeps events in memory and rejects durable waits. Throws StoreRefusal only for a file of a newer version or an old SQLite. */
export function openSqliteStorage(options: SqliteOptions): Storage {
  const { path, onNotice } = options
  const lockFolder = join(dirname(path), 'owners')
  try {
    if (isAnyOwnerAlive(lockFolder)) return openOnce(options)
    const notice = findSilentDamage(path)
    if (notice !== undefined) onNotice?.(notice)
    const found = statSync(path, { throwIfNoEntry: false })?.ino
    try {
      return openOnce(options, checkPages)
    } catch (thrown) {
      const damage = describeDamage(thrown)
      if (damage === undefined) throw thrown
      // Another process that started just now may have kept it aside already.
      if (statSync(path, { throwIfNoEntry: false })?.ino === found) onNotice?.(setAside(path, damage))
      return openOnce(options)
    }
  } catch (thrown) {
    if (thrown instanceof StoreRefusal) throw thrown
    const problem = describeProblem(thrown, path)
    options.onProblem?.(problem)
    return createUnavailableStorage(problem, options.mask)
  }
}

function openOnce(options: SqliteOptions, check?: typeof checkPages): Storage {
  const database = openDatabase(options.path, options.durable ?? 'process')
  try {
    check?.(database, options.path)
    return createStorage(database, options)
  } catch (thrown) {
    database.close()
    throw thrown
  }
}

/** Creates a storage without a file: events are kept in memory, nothing is durable. */
function createUnavailableStorage(problem: string, mask: EventMask | undefined): Storage {
  const refuse = () => Promise.reject(unavailable(problem))
  const memory = createMemoryStorage(mask && { mask })
  return {
    ...memory,
    log: { ...memory.log, flush: refuse, problem: () => problem },
    ledger: { begin: refuse },
    approvals: { ...memory.approvals, ask: refuse },
  }
}

function createStorage(database: DatabaseSync, options: SqliteOptions): Storage {
  const { path, mask, maxContent = MAX_CONTENT } = options
  const lockFolder = join(dirname(path), 'owners')
  const ownerLock = createOwnerLock(lockFolder)
  const writer = `e_${crypto.randomUUID().slice(0, 13).replace('-', '')}_`
  const stamp = createStamp(writer, mask)
  const events = createEventWriter(database, writer)
  const wake = createWake(database, path)
  const live: LiveCalls = new Map()
  const checkpoints = createCheckpoints(database, path)
  const behind = openWriteBehind(options, { database, events, ownerLock }, (characters) => {
    checkpoints.wrote(characters)
    wake.committed()
  })
  const eraser = createEraser(database)
  const parts = { database, path, lockFolder, ownerLock, live, behind, events, stamp, wake, eraser }
  const ports = {
    log: {
      append(body: EventBody) {
        const event = stamp(body)
        addEvent(behind.pending(), live, event)
        behind.added(event.at)
        return event
      },
      flush: behind.commit,
      problem: behind.problem,
      ...createLogQueries(database, behind),
      follow: createFollow(database, wake),
    },
    approvals: createApprovals(parts),
    ledger: createLedger(live, behind),
    outputs: createOutputs(database, behind),
    undo: { ...createUndoRecords({ ...parts, maxContent }), ...createUndoClaims(parts) },
    leases: createLeases(parts),
    locks: createPathLocks(parts),
  }
  if (eraser.overwrite(() => endCallsOfTheDead(parts, lockFolder))) {
    wake.committed()
    eraser.emptyWal()
  }
  // Nothing above needs to be closed when the file cannot be used.
  const stopRetention = options.retention && keepRetention(database, options.retention)
  const close = closeOnExit(() => {
    stopRetention?.()
    behind.stop()
    wake.close()
    checkpoints.stop()
    eraser.stop()
    ownerLock.release()
    database.close()
    noteClosed(path)
  })
  return { ...ports, close }
}

/** Creates event ids, which are unique because each storage has its own prefix. */
function createStamp(writer: string, mask: EventMask | undefined): (body: EventBody) => Event {
  const nextId = countIds(writer)
  return (body) => ({ ...(mask ? mask(body) : body), id: nextId(), at: Date.now() })
}

interface WriteParts {
  readonly database: DatabaseSync
  readonly events: EventWriter
  readonly ownerLock: OwnerLock
}

function openWriteBehind(
  { path, onProblem }: SqliteOptions,
  { database, events, ownerLock }: WriteParts,
  committed: (characters: number) => void,
): WriteBehind {
  return createWriteBehind({
    database,
    path,
    events,
    prepare: ownerLock.hold,
    committed,
    write: createPendingWriter(database, ownerLock.owner, events),
    onProblem: (problem) => onProblem?.(problem),
  })
}

function createLedger(live: LiveCalls, behind: WriteBehind): Ledger {
  return {
    async begin(entry) {
      const call = live.get(entry.call)
      if (!call) throw unavailable(`The call ${entry.call} has not started, so it cannot be entered in the ledger.`)
      call.ledger = entry
      behind.pending().ledger.add(call)
      try {
        await behind.commit()
      } catch (thrown) {
        behind.pending().ledger.delete(call)
        delete call.ledger
        throw thrown
      }
    },
  }
}

function createOutputs(database: DatabaseSync, behind: WriteBehind): OutputStore {
  return {
    read: createOutputReader(database, behind),
    async keep(call, text) {
      const pending = behind.pending()
      pending.outputs.set(call, text)
      pending.characters += text.length
      behind.added(Date.now())
    },
  }
}
