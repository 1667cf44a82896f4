import { constants, readdirSync, rmdirSync, type Stats, unlinkSync } from 'node:fs'
import { below, type Descriptor, openBelow, pathOf } from '../descriptor.ts'
import { conflict, explainErrno } from '../file-errors.ts'
import { entryOf, type Space } from '../space.ts'
import { type Change, keepExpected } from './change.ts'
import { keepEntry } from './keep.ts'
import { missingPlace, openPlace } from './place.ts'

/** What is to be deleted, and whether a folder goes with all that is in it. */
export interface Deleting {
  readonly given: string
  readonly recursive: boolean
}

/** Deletes an entry and, when told to, all below it, folder by folder through descriptors; links are removed, never followed. */
export function deleteEntry(space: Space, change: Change, { given, recursive }: Deleting): string[] {
  using place = openPlace(space, given)
  if (place?.stats === undefined) throw missingPlace(space, given)
  const deleted: string[] = []
  try {
    keepExpected(change, given, place)
    remove(place.folder, { name: place.name, path: place.path, stats: place.stats })
  } catch (error) {
    throw explainErrno(error, given)
  }
  return deleted

  function remove(folder: Descriptor, { name, path, stats }: { name: string; path: string; stats: Stats }): void {
    if (stats.isDirectory()) emptyFolder(folder, name, path)
    change.call.signal.throwIfAborted()
    const before = keepEntry({ folder, name, stats }, change.keptLimit)
    change.replaced({ call: change.call.id, path, before, after: null })
    if (stats.isDirectory()) rmdirSync(below(folder, name))
    else unlinkSync(below(folder, name))
    deleted.push(path)
  }

  function emptyFolder(parent: Descriptor, name: string, path: string): void {
    using folder = openBelow(parent, name, constants.O_DIRECTORY)
    const names = readdirSync(pathOf(folder))
    if (names.length > 0 && !recursive) throw notEmpty(given, names.length)
    for (const child of names.sort()) {
      const stats = entryOf(folder, child)
      if (stats) remove(folder, { name: child, path: `${path}/${child}`, stats })
    }
  }
}

/** A folder with entries is deleted only when that was asked for. */
export function notEmpty(given: string, count: number): Error {
  return conflict(
    given,
    `is a folder with ${count} ${count === 1 ? 'entry' : 'entries'}; set recursive to true to delete it with all that is in it.`,
    'NOT_EMPTY',
  )
}
