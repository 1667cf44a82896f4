import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Event } from '../core/event.ts'
import type { EventMask } from '../core/mask-event.ts'
import type { Store } from '../core/store.ts'
import { createApprovals } from './approvals.ts'
import { createCheckpoints } from './checkpoints.ts'
import { closeOnExit } from './close-on-exit.ts'
import { createLogQueries } from './log-queries.ts'
import { createMemoryStore } from './memory.ts'
import { type Durable, openDatabase } from './open-database.ts'
import { createOwnerLease } from './owner-lease.ts'
import { addEvent, type LiveCalls } from './pending.ts'
import { createLogReader } from './read-log.ts'
import { createOutputReader } from './read-output.ts'
import { endCallsOfTheDead } from './recover.ts'
import { createReplacedFiles, MAX_CONTENT } from './replaced-files.ts'
import { keepRetention, type Retention } from './retention.ts'
import { createSequence } from './sequence.ts'
import { describeTrouble, StoreRefusal, unavailable } from './trouble.ts'
import { createUndoStore } from './undo-store.ts'
import { createWriteBehind } from './write-behind.ts'
import { createPendingWriter } from './write-pending.ts'

/** How a log is opened. */
export interface SqliteOptions {
  /** The file; its folder is made when it is absent. */
  readonly path: string
  /** What a commit survives: the end of the process (when not given), or of the machine. */
  readonly durable?: Durable
  /** Masks secrets on the way in. */
  readonly mask?: EventMask
  /** Bytes of the largest content kept for undo. */
  readonly maxContent?: number
  /** What is removed as too old or too much; nothing when not given. */
  readonly retention?: Retention
  /** Hears why the log cannot be written, and undefined when it can be again. */
  onTrouble?(trouble: string | undefined): void
}

/** Opens the log, ending what dead processes left open. A file that cannot be used gives a store that keeps events in memory and refuses durable waits; throws StoreRefusal only for a newer file or an old SQLite. */
export function openSqliteStore(options: SqliteOptions): Store {
  let database: DatabaseSync | undefined
  try {
    database = openDatabase(options.path, options.durable ?? 'process')
    endCallsOfTheDead(database, lockFolderOf(options.path))
    return createStore(database, options)
  } catch (thrown) {
    database?.close()
    if (thrown instanceof StoreRefusal) throw thrown
    const trouble = describeTrouble(thrown, options.path)
    options.onTrouble?.(trouble)
    return createUnavailableStore(trouble, options.mask)
  }
}

/** A store for when there is no file: events are kept in memory, nothing is ever durable. */
function createUnavailableStore(trouble: string, mask: EventMask | undefined): Store {
  const refuse = () => Promise.reject(unavailable(trouble))
  const memory = createMemoryStore(mask && { mask })
  return { ...memory, begin: refuse, commit: refuse, keepQuestion: refuse, trouble: () => trouble }
}

function lockFolderOf(path: string): string {
  return join(dirname(path), 'owners')
}

function createStore(database: DatabaseSync, options: SqliteOptions): Store {
  const { path, durable = 'process', mask, maxContent = MAX_CONTENT } = options
  const lease = createOwnerLease(lockFolderOf(path))
  const sequence = createSequence(database, durable)
  const live: LiveCalls = new Map()
  const checkpoints = createCheckpoints(database, path)
  const behind = createWriteBehind({
    database,
    path,
    sequence,
    prepare: lease.hold,
    committed: checkpoints.wrote,
    write: createPendingWriter(database, lease.owner),
    onTrouble: (trouble) => options.onTrouble?.(trouble),
  })
  const files = createReplacedFiles(database, maxContent)
  const stopRetention = options.retention && keepRetention(database, options.retention)
  const close = closeOnExit(() => {
    stopRetention?.()
    behind.stop()
    checkpoints.stop()
    lease.release()
    database.close()
  })
  return {
    append(body) {
      const event: Event = { ...(mask ? mask(body) : body), seq: sequence.next(), at: Date.now() }
      addEvent(behind.pending(), live, event)
      behind.added(event.at)
      return event
    },
    async begin(entry) {
      const call = live.get(entry.call)
      if (!call) throw unavailable(`The call ${entry.call} has not begun, so it has no place in the ledger.`)
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
    commit: behind.commit,
    trouble: behind.trouble,
    ...createLogQueries(createLogReader(database), behind),
    ...createApprovals({ database, path, lockFolder: lockFolderOf(path), lease, live, behind, mask }),
    ...createUndoStore({ database, path, lockFolder: lockFolderOf(path), lease, behind }),
    read: createOutputReader(database, behind),
    keepOutput(call, text) {
      behind.pending().outputs.set(call, text)
      behind.added(Date.now())
    },
    keepReplaced(record) {
      if (!behind.flush()) throw unavailable(behind.trouble() ?? 'The log cannot be written.')
      try {
        files.keep(record)
      } catch (thrown) {
        throw unavailable(describeTrouble(thrown, path))
      }
    },
    replacedBy: files.by,
    changedCalls(filter = {}) {
      behind.flush()
      return files.changedCalls(filter)
    },
    close,
  }
}
