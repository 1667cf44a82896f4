import { linkSync, renameSync, unlinkSync } from 'node:fs'
import { below } from '../descriptor.ts'
import { conflict, errnoOf, explainErrno, refusePath, shown } from '../file-errors.ts'
import { joinPath, type WorkspaceRoot } from '../workspace-root.ts'
import { type Change, createFolderReporter, keepExpected } from './change.ts'
import { missingEntry, openEntry, type TargetEntry } from './target-entry.ts'
import { NO_HARD_LINKS } from './write-file.ts'

/** What to rename, and whether an existing file at the new path may be replaced. */
export interface MoveRequest {
  readonly from: string
  readonly to: string
  readonly overwrite: boolean
}

/** Renames an entry through the descriptors of both folders. Links are moved or replaced themselves, never their targets. */
export function moveEntry(root: WorkspaceRoot, change: Change, { from, to, overwrite }: MoveRequest): void {
  using source = openEntry(root, from)
  if (source?.stats === undefined) throw missingEntry(root, from)
  using target = openEntry(root, to, createFolderReporter(change))
  if (target === undefined) throw missingEntry(root, to)
  refuseMove({ source, target, to, overwrite })
  try {
    if (change.call.expects[from] !== undefined) keepExpected(change, from, source)
    const before = keepExpected(change, to, target)
    change.replaced({ call: change.call.id, path: target.path, before, after: null, movedFrom: source.path })
    rename(source, target, to)
  } catch (error) {
    throw explainErrno(error, to)
  }
}

/** Refuses moves into the source itself, onto a folder, and onto a file that may not be replaced. */
function refuseMove({
  source,
  target,
  to,
  overwrite,
}: {
  source: TargetEntry
  target: TargetEntry
  to: string
  overwrite: boolean
}): void {
  if (source.path === target.path) throw refusePath(to, 'is the path it already has')
  if (target.path.startsWith(`${source.path}/`)) throw refusePath(to, 'is inside the folder to be moved')
  if (target.stats === undefined) return
  if (target.stats.isDirectory()) {
    throw refusePath(to, `is a folder; give the full new path, such as ${shown(joinPath(to, source.name))}`)
  }
  if (source.stats?.isDirectory()) throw refusePath(to, 'is a file; a folder cannot replace it')
  if (!overwrite) throw conflict(to, 'already exists; set overwrite to true to replace it.', 'EXISTS')
}

/** Renames exclusively unless a file is to be replaced. A folder replaces at most an empty folder. */
function rename(source: TargetEntry, target: TargetEntry, to: string): void {
  const [old, wanted] = [below(source.folder, source.name), below(target.folder, target.name)]
  if (target.stats === undefined && source.stats?.isFile() && linked(old, wanted, to)) unlinkSync(old)
  else renameSync(old, wanted)
}

/** Returns true once the file also has its new name, false when hard links are not available. */
function linked(old: string, wanted: string, to: string): boolean {
  try {
    linkSync(old, wanted)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw conflict(to, 'was created since it was read.', 'CHANGED')
    if (NO_HARD_LINKS.has(errnoOf(error) ?? '')) return false
    throw error
  }
}
