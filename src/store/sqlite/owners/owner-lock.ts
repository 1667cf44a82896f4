import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Proof that a process is alive: a lock on its own file, which the system releases when the process ends for any reason. */
export interface OwnerLock {
  readonly owner: string
  /** Takes the lock; cheap when it is already held. */
  hold(): void
  /** Releases the lock and removes the file. Never throws. */
  release(): void
}

/** Creates the lock of one storage; nothing is written before `hold`. */
export function createOwnerLock(folder: string): OwnerLock {
  const owner = `${process.pid}-${crypto.randomUUID()}`
  const path = lockPath(folder, owner)
  let lock: DatabaseSync | undefined
  return {
    owner,
    hold() {
      if (lock) return
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      closeSync(openSync(path, 'a', 0o600))
      lock = lockFile(path)
    },
    release() {
      if (!lock) return
      lock.close()
      lock = undefined
      tryRemove(path)
    },
  }
}

function lockFile(path: string): DatabaseSync {
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (thrown) {
    lock.close()
    throw thrown
  }
}

/** True when the owner has certainly ended: its lock is free, or its file is missing. */
export function isOwnerDead(folder: string, owner: string): boolean {
  const path = lockPath(folder, owner)
  if (!existsSync(path)) return true
  let probe: DatabaseSync | undefined
  try {
    probe = new DatabaseSync(path, { readOnly: true, timeout: 0 })
    probe.prepare('SELECT 1 FROM sqlite_schema').get()
    return true
  } catch {
    return false
  } finally {
    probe?.close()
  }
}

/** True while a process that has written to the log is alive. */
export function isAnyOwnerAlive(folder: string): boolean {
  return listFolder(folder).some((name) => !isOwnerDead(folder, name.slice(0, -'.lock'.length)))
}

/** Removes the lock files of killed processes; recent files stay, since they may be about to be locked. */
export function sweepLocks(folder: string, now: number): void {
  for (const name of listFolder(folder)) {
    const owner = name.slice(0, -'.lock'.length)
    const age = now - (statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? now)
    if (age > 60_000 && isOwnerDead(folder, owner)) tryRemove(lockPath(folder, owner))
  }
}

/** Ignores a file that cannot be removed: nobody holds its lock. */
function tryRemove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The next start tries again.
  }
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.lock'))
  } catch {
    return []
  }
}

function lockPath(folder: string, owner: string): string {
  return join(folder, `${owner}.lock`)
}
