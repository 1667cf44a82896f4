import { linkSync, renameSync, unlinkSync } from 'node:fs'
import { below } from '../descriptor.ts'
import { conflict, errnoOf, explainErrno, refusePath, shown } from '../file-errors.ts'
import { joinPath, type Space } from '../space.ts'
import { type Change, keepExpected, makingFolder } from './change.ts'
import { missingPlace, openPlace, type Place } from './place.ts'
import { NO_HARD_LINKS } from './put-file.ts'

/** What is to be renamed, and whether what lies at its new place may be replaced. */
export interface Moving {
  readonly from: string
  readonly to: string
  readonly overwrite: boolean
}

/** Renames an entry through the descriptors of both folders; a link is moved or replaced itself, never what it points to. */
export function moveEntry(space: Space, change: Change, { from, to, overwrite }: Moving): void {
  using source = openPlace(space, from)
  if (source?.stats === undefined) throw missingPlace(space, from)
  using target = openPlace(space, to, makingFolder(change))
  if (target === undefined) throw missingPlace(space, to)
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

/** Refuses what a rename would do otherwise than one means: into itself, onto a folder, onto something not to be replaced. */
function refuseMove({
  source,
  target,
  to,
  overwrite,
}: {
  source: Place
  target: Place
  to: string
  overwrite: boolean
}): void {
  if (source.path === target.path) throw refusePath(to, 'is where it lies already')
  if (target.path.startsWith(`${source.path}/`)) throw refusePath(to, 'lies inside what is to be moved')
  if (target.stats === undefined) return
  if (target.stats.isDirectory()) {
    throw refusePath(to, `is a folder; give the whole new path, such as ${shown(joinPath(to, source.name))}`)
  }
  if (source.stats?.isDirectory()) throw refusePath(to, 'is a file; a folder cannot take its place')
  if (!overwrite) throw conflict(to, 'exists already; set overwrite to true to replace it.', 'EXISTS')
}

/** Takes the name only while it is free, unless something is to be replaced. A folder never replaces more than an empty one. */
function rename(source: Place, target: Place, to: string): void {
  const [old, wanted] = [below(source.folder, source.name), below(target.folder, target.name)]
  if (target.stats === undefined && source.stats?.isFile() && linked(old, wanted, to)) unlinkSync(old)
  else renameSync(old, wanted)
}

/** True when the file has its new name too; false where the file system or the system's policy has no hard links. */
function linked(old: string, wanted: string, to: string): boolean {
  try {
    linkSync(old, wanted)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw conflict(to, 'has appeared since it was looked at.', 'CHANGED')
    if (NO_HARD_LINKS.has(errnoOf(error) ?? '')) return false
    throw error
  }
}
