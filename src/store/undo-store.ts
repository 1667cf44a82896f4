import type { DatabaseSync } from 'node:sqlite'
import type { ChangedFilter } from '../core/store.ts'
import type { UndoMark, UndoStore, UnkeptCall } from '../core/undo-store.ts'
import { DEFAULT_LIMIT } from './match-call.ts'
import { isOwnerDead, type OwnerLease } from './owner-lease.ts'
import { callOf } from './read-calls.ts'
import { describeTrouble, unavailable } from './trouble.ts'
import type { WriteBehind } from './write-behind.ts'

/** What undoing needs of a log's store. */
export interface UndoParts {
  readonly database: DatabaseSync
  readonly path: string
  readonly lockFolder: string
  readonly lease: OwnerLease
  readonly behind: WriteBehind
}

/** Prepares the statements. A claim is a row, made in one transaction with the look at those of others. */
export function createUndoStore(parts: UndoParts): UndoStore {
  const { database, path, lease, behind } = parts
  const claim = database.prepare('INSERT OR REPLACE INTO undoing VALUES (?, ?, ?)')
  const findMark = markFinder(parts)
  return {
    noteUnkept(change) {
      behind.pending().unkept.set(change.call, change)
      behind.added(Date.now())
    },
    unkeptCalls(filter = {}) {
      behind.flush()
      return readUnkept(database, filter)
    },
    undoOf(call) {
      behind.flush()
      return findMark(call)
    },
    claimUndo(calls, undo) {
      if (!behind.flush()) throw unavailable(behind.trouble() ?? 'The log cannot be written.')
      try {
        lease.hold()
        database.exec('BEGIN IMMEDIATE')
        const taken = calls.map(findMark).find((mark) => mark !== undefined && mark.undo !== undo)
        if (!taken) for (const call of calls) claim.run(call, undo, lease.owner)
        database.exec('COMMIT')
        return taken
      } catch (thrown) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw unavailable(describeTrouble(thrown, path))
      }
    },
  }
}

/** Makes the function that reads a claim: one counts while its undo runs, and once it has worked, until that was undone itself. */
function markFinder({ database, lockFolder, lease }: UndoParts): (call: string) => UndoMark | undefined {
  const claimed = database.prepare('SELECT undo, owner FROM undoing WHERE call = ?')
  const ended = database.prepare('SELECT outcome FROM calls WHERE call = ? ORDER BY seq DESC LIMIT 1')
  const isDead = (owner: string) => owner !== lease.owner && isOwnerDead(lockFolder, owner)
  const find = (call: string): UndoMark | undefined => {
    const row = claimed.get(call)
    const state = row && ended.get(row.undo ?? '')
    if (!row || !state) return undefined
    const undo = String(row.undo)
    if (state.outcome === null) return isDead(String(row.owner)) ? undefined : { call, undo, isRunning: true }
    const isTakenBack = find(undo)?.isRunning === false
    return state.outcome === 'ok' && !isTakenBack ? { call, undo, isRunning: false } : undefined
  }
  return find
}

function readUnkept(
  database: DatabaseSync,
  { session, workspace, limit = DEFAULT_LIMIT }: ChangedFilter,
): UnkeptCall[] {
  const terms = [
    ...(session === undefined ? [] : ['c.session = ?']),
    ...(workspace === undefined ? [] : ['u.workspace = ?']),
  ]
  const where = terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`
  const values = [session, workspace].filter((value) => value !== undefined)
  return database
    .prepare(`SELECT c.*, u.reason FROM unkept u JOIN calls c ON c.call = u.call ${where} ORDER BY c.seq DESC LIMIT ?`)
    .all(...values, limit)
    .map(({ reason, ...row }) => ({ record: callOf(row), reason: String(reason) }))
}
