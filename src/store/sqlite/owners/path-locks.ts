import type { DatabaseSync } from 'node:sqlite'
import type { PathLock, PathLocks } from '../../../core/ports/path-locks.ts'
import { insidePath } from '../../../core/text/paths.ts'
import { describeProblem, unavailable } from '../database/problem.ts'
import type { Wake } from '../follow/wake.ts'
import { createLockWaiters } from './lock-waiters.ts'
import { isOwnerDead, type OwnerLock } from './owner-lock.ts'

/** The delay before removing the rows of a released lock is tried again, in milliseconds. */
const RETRY_DELAY = 1_000

/** The parts of the storage that path locks use. */
export interface PathLockParts {
  readonly database: DatabaseSync
  readonly path: string
  readonly lockFolder: string
  readonly ownerLock: OwnerLock
  readonly wake: Wake
}

/** Creates the path locks. A lock is a row; rows of processes that have ended are ignored and removed when found. */
export function createPathLocks({ database, path, lockFolder, ownerLock, wake }: PathLockParts): PathLocks {
  const others = database.prepare('SELECT owner, path FROM path_locks WHERE owner <> ?')
  const insert = database.prepare('INSERT INTO path_locks VALUES (?, ?, ?)')
  const remove = database.prepare('DELETE FROM path_locks WHERE lock = ?')
  const forget = database.prepare('DELETE FROM path_locks WHERE owner = ?')
  const waiters = createLockWaiters(wake, (owner) => isOwnerDead(lockFolder, owner))
  let count = 0

  /** Returns the living process that holds an overlapping path. Called inside a transaction. */
  const blockerOf = (paths: readonly string[]): string | undefined => {
    for (const row of others.all(ownerLock.owner)) {
      const owner = String(row.owner)
      if (!paths.some((one) => meets(one, String(row.path)))) continue
      if (!isOwnerDead(lockFolder, owner)) return owner
      forget.run(owner)
    }
    return undefined
  }
  const take = (lock: string, paths: readonly string[]): boolean => {
    ownerLock.hold()
    database.exec('BEGIN IMMEDIATE')
    try {
      const blocker = blockerOf(paths)
      if (blocker === undefined) for (const one of paths) insert.run(lock, ownerLock.owner, one)
      else waiters.blockedBy(blocker)
      database.exec('COMMIT')
      return blocker === undefined
    } catch (thrown) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw thrown
    }
  }
  const release = (lock: string): void => {
    if (!database.isOpen) return
    try {
      if (remove.run(lock).changes > 0) wake.committed()
    } catch {
      setTimeout(release, RETRY_DELAY, lock).unref()
    }
  }
  return {
    async tryLock(paths): Promise<PathLock | undefined> {
      const lock = `${ownerLock.owner}-${++count}`
      try {
        if (!take(lock, paths)) return undefined
      } catch (thrown) {
        throw unavailable(describeProblem(thrown, path))
      }
      return { release: () => release(lock) }
    },
    async changed(signal) {
      try {
        await waiters.wait(signal)
      } catch (thrown) {
        throw unavailable(describeProblem(thrown, path))
      }
    },
  }
}

function meets(one: string, other: string): boolean {
  return insidePath(one, other) !== undefined || insidePath(other, one) !== undefined
}
