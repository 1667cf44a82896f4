import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Programs } from '../core/ports/developer/programs.ts'

/** The user and group that commands run as. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Returns this process's user; as root, the owner of the workspace, so that new files belong to them. */
export function findOwner(workspace: string): Owner {
  const ourselves = findOurselves()
  if (ourselves.uid !== 0) return ourselves
  const { uid, gid } = statSync(workspace)
  return uid === 0 ? ourselves : { uid, gid }
}

/** Returns the user and group of this process. */
export function findOurselves(): Owner {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
}

/** Returns the command prefix that switches to the owner; empty when this process already is. */
export function becomeOwner({ uid, gid }: Owner, programs: Programs): string[] {
  if (uid === process.getuid?.()) return []
  return [programs.system('setpriv'), `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--']
}

/** True when the owner can enter every folder on the path. */
export function canReach({ uid, gid }: Owner, path: string): boolean {
  if (uid === 0) return true
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return false
  const bit = stats.uid === uid ? 0o100 : stats.gid === gid ? 0o010 : 0o001
  return (stats.mode & bit) !== 0 && (path === '/' || canReach({ uid, gid }, dirname(path)))
}
