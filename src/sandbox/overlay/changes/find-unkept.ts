import { readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { readIgnored } from '../../../files/repositories/ignored-paths.ts'
import { createIsAtOrBelow, isReadable, lstatIfExists } from '../../../files/stat-path.ts'
import { ALL_KEPT } from '../apply/report-replaced.ts'
import { haveSameBytes } from './entries.ts'
import type { AppliedChange, Sides } from './find-changes.ts'

/** What is kept for undo, and what the person agreed to lose. */
export interface KeepingLimits {
  /** The largest file that is kept, in bytes. */
  readonly keptLimit: number
  /** Paths that the approval of the call named, relative to the workspace. */
  readonly approved: Iterable<string>
}

const PACK = /(?:^|\/)objects\/pack\/[^/]+$/

/** Returns the changes that replace or delete what undo cannot restore: files that are too large to keep, each or together, files that this user may not read, fifos, sockets and devices. What git ignores can be made again, and packs that others of about their size replace hold the same objects. */
export function findUnkept(changes: readonly AppliedChange[], sides: Sides, limits: KeepingLimits): AppliedChange[] {
  const { lower } = sides
  const isApproved = createIsAtOrBelow([...limits.approved])
  const isMoved = createMovedCheck(changes, sides)
  const repacked = bytesOfPacks(changes, sides) * 2
  let isIgnored: ReturnType<typeof readIgnored> | undefined
  let left = ALL_KEPT
  const isLost = (path: string): boolean => {
    const stats = lstatIfExists(join(lower, path))
    if (stats === undefined) return false
    if (stats.isDirectory())
      return readdirSync(join(lower, path)).filter((name) => isLost(`${path}/${name}`)).length > 0
    if (stats.isSymbolicLink()) return false
    if (isKept(join(lower, path), stats, Math.min(left, limits.keptLimit))) left -= stats.size
    else if (isApproved(path) || (PACK.test(path) && stats.size <= repacked) || (stats.isFile() && isMoved(path)))
      return false
    else {
      isIgnored ??= readIgnored(lower)
      return !isIgnored(path, false)
    }
    return false
  }
  const deleted = new Set(changes.filter(({ kind }) => kind === 'deleted').map(({ path }) => path))
  return changes.filter((change) => {
    if (change.kind === 'mode' || ('type' in change && change.type === 'folder')) return false
    return change.kind === 'deleted' ? isLost(change.path) : !deleted.has(change.path) && isLost(change.path)
  })
}

function isKept(path: string, stats: Stats, limit: number): boolean {
  return stats.isFile() && stats.size <= limit && isReadable(path)
}

/** Returns a function that tells whether a file of the workspace is there under another name. */
function createMovedCheck(changes: readonly AppliedChange[], { lower, merged }: Sides): (path: string) => boolean {
  const added = changes.filter((change) => change.kind === 'added' && change.type === 'file')
  return (path) => {
    const size = lstatIfExists(join(lower, path))?.size
    const same = added.filter((change) => lstatIfExists(join(merged, change.path))?.size === size)
    if (same.length === 0 || !isReadable(join(lower, path))) return false
    return same.some((change) => haveSameBytes(join(merged, change.path), join(lower, path)))
  }
}

/** Returns how large the new packs are. */
function bytesOfPacks(changes: readonly AppliedChange[], { merged }: Sides): number {
  const packs = changes.filter(({ kind, path }) => kind === 'added' && PACK.test(path) && path.endsWith('.pack'))
  return packs.reduce((sum, { path }) => sum + (lstatIfExists(join(merged, path))?.size ?? 0), 0)
}
