import type { DatabaseSync } from 'node:sqlite'
import type { UndoMark, UndoStore } from '../../core/ports/undo-store.ts'
import { DEFAULT_LIMIT } from '../match-call.ts'
import { describeProblem, unavailable } from './database/problem.ts'
import { isOwnerDead, type OwnerLock } from './owners/owner-lock.ts'
import type { WriteBehind } from './write/write-behind.ts'

/** The parts of the storage that undo claims use. */
export interface ClaimParts {
  readonly database: DatabaseSync
  readonly path: string
  readonly lockFolder: string
  readonly ownerLock: OwnerLock
  readonly behind: WriteBehind
}

/** Prepares the statements. A claim is a row, created in the same transaction that checks the claims of others. */
export function createUndoClaims(
  parts: ClaimParts,
): Pick<UndoStore, 'noteUnkept' | 'unkeptCalls' | 'undoOf' | 'claimUndo'> {
  const { database, path, ownerLock, behind } = parts
  const claim = database.prepare('INSERT OR REPLACE INTO undoing VALUES (?, ?, ?)')
  const unkept = database.prepare(`SELECT u.call, u.workspace, u.reason FROM unkept u JOIN calls c ON c.call = u.call
    WHERE ?1 IS NULL OR u.workspace = ?1 ORDER BY c.cursor DESC LIMIT ?2`)
  const findMark = markFinder(parts)
  return {
    noteUnkept(change) {
      behind.pending().unkept.set(change.call, change)
      behind.added(Date.now())
    },
    unkeptCalls({ workspace, limit = DEFAULT_LIMIT } = {}) {
      behind.flush()
      return unkept.all(workspace ?? null, limit).map((row) => ({
        ...{ call: String(row.call), workspace: String(row.workspace), reason: String(row.reason) },
      }))
    },
    undoOf(call) {
      behind.flush()
      return findMark(call)
    },
    claimUndo(calls, undo) {
      if (!behind.flush()) throw unavailable(behind.problem() ?? 'The log cannot be written.')
      try {
        ownerLock.hold()
        database.exec('BEGIN IMMEDIATE')
        const taken = calls.map(findMark).find((mark) => mark !== undefined && mark.undo !== undo)
        if (!taken) for (const call of calls) claim.run(call, undo, ownerLock.owner)
        database.exec('COMMIT')
        return taken
      } catch (thrown) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw unavailable(describeProblem(thrown, path))
      }
    },
  }
}

/** Returns a function that reads a claim. A claim is valid while its undo runs and, after success, until that undo is itself undone. */
function markFinder({ database, lockFolder, ownerLock }: ClaimParts): (call: string) => UndoMark | undefined {
  const claimed = database.prepare('SELECT undo, owner FROM undoing WHERE call = ?')
  const ended = database.prepare('SELECT outcome FROM calls WHERE call = ? ORDER BY cursor DESC LIMIT 1')
  const isDead = (owner: string) => owner !== ownerLock.owner && isOwnerDead(lockFolder, owner)
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
