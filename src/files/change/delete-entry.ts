import { constants, readdirSync, rmdirSync, type Stats, unlinkSync } from 'node:fs'
import { below, type Descriptor, openBelow, pathOf } from '../descriptor.ts'
import { conflict, explainErrno } from '../file-errors.ts'
import { entryOf, type WorkspaceRoot } from '../workspace-root.ts'
import { type Change, keepExpected } from './change.ts'
import { keepEntry } from './keep.ts'
import { missingEntry, openEntry } from './target-entry.ts'

/** What to delete, and whether a folder is deleted with its contents. */
export interface DeleteRequest {
  readonly given: string
  readonly recursive: boolean
}

/** Deletes an entry and, with `recursive`, everything below it, folder by folder through descriptors. Links are removed, never followed. */
export function deleteEntry(root: WorkspaceRoot, change: Change, { given, recursive }: DeleteRequest): string[] {
  using entry = openEntry(root, given)
  if (entry?.stats === undefined) throw missingEntry(root, given)
  const deleted: string[] = []
  try {
    keepExpected(change, given, entry)
    remove(entry.folder, { name: entry.name, path: entry.path, stats: entry.stats })
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

/** Returns the CONFLICT for a folder that is not empty. */
export function notEmpty(given: string, count: number): Error {
  return conflict(
    given,
    `is a folder with ${count} ${count === 1 ? 'entry' : 'entries'}; set recursive to true to delete it and its contents.`,
    'NOT_EMPTY',
  )
}
