import { type Dirent, readdirSync } from 'node:fs'
import type { FileEntry, Listing } from '../../core/ports/files.ts'
import { type Descriptor, pathOf } from '../descriptor.ts'
import { explainErrno } from '../file-errors.ts'
import { openFolderToRead } from '../open-inside.ts'
import { entryOf, pathInside, timeOf, typeOf, type WorkspaceRoot } from '../workspace-root.ts'

/** Lists a folder by name, with size and time. Only the returned entries are read. */
export function listFolder(
  root: WorkspaceRoot,
  given: string,
  { hidden, offset = 0, limit }: { hidden: boolean; offset?: number; limit: number },
): Listing {
  using folder = openFolderToRead(root, pathInside(root, given))
  const wanted = readEntries(folder, given)
    .filter(({ name }) => hidden || !name.startsWith('.'))
    .sort(byName)
  const entries: FileEntry[] = []
  for (const { name } of wanted.slice(offset, offset + limit)) {
    const entry = entryFor(folder, name, name)
    if (entry) entries.push(entry)
  }
  return { entries, more: wanted.length > offset + limit }
}

/** Compares by code units, which is the same on every machine. */
export const byName = (a: Dirent, b: Dirent) => (a.name < b.name ? -1 : 1)

/** Returns the entries of an open folder, unsorted. */
export function readEntries(folder: Descriptor, given: string): Dirent[] {
  try {
    return readdirSync(pathOf(folder), { withFileTypes: true })
  } catch (error) {
    throw explainErrno(error, given)
  }
}

/** Returns an entry as a listing shows it; undefined when it was deleted or is a fifo, socket or device. */
export function entryFor(folder: Descriptor, name: string, shownAs: string): FileEntry | undefined {
  const stats = entryOf(folder, name)
  const type = stats && typeOf(stats)
  return type && { name: shownAs, type, size: stats.size, modified: timeOf(stats) }
}
