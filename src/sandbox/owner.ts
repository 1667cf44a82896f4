import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/** As whom commands run. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Ourselves; but root works on somebody's workspace as that person, so that new files are theirs. */
export function findOwner(workspace: string): Owner {
  const ourselves = findOurselves()
  if (ourselves.uid !== 0) return ourselves
  const { uid, gid } = statSync(workspace)
  return uid === 0 ? ourselves : { uid, gid }
}

/** The user and group of this process. */
export function findOurselves(): Owner {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
}

/** What stands before a command so that it runs as the owner; nothing where that is us. */
export function becomeOwner({ uid, gid }: Owner): string[] {
  return uid === process.getuid?.() ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--']
}

/** True where the owner can reach a path: each folder on the way lets them pass. */
export function canReach({ uid, gid }: Owner, path: string): boolean {
  if (uid === 0) return true
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return false
  const bit = stats.uid === uid ? 0o100 : stats.gid === gid ? 0o010 : 0o001
  return (stats.mode & bit) !== 0 && (path === '/' || canReach({ uid, gid }, dirname(path)))
}
