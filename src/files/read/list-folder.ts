import { type Dirent, readdirSync } from 'node:fs'
import type { FileEntry, Listing } from '../../core/ports/files.ts'
import { type Descriptor, pathOf } from '../descriptor.ts'
import { explainErrno } from '../file-errors.ts'
import { openFolderToRead } from '../open-inside.ts'
import { entryOf, pathInside, type Space, timeOf, typeOf } from '../space.ts'

/** The entries of one folder by name, with size and time; reads only what it returns. */
export function listFolder(
  space: Space,
  given: string,
  { hidden, offset = 0, limit }: { hidden: boolean; offset?: number; limit: number },
): Listing {
  using folder = openFolderToRead(space, pathInside(space, given))
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

/** By code units: the same on every machine. */
export const byName = (a: Dirent, b: Dirent) => (a.name < b.name ? -1 : 1)

/** The entries of an open folder, in no order. */
export function readEntries(folder: Descriptor, given: string): Dirent[] {
  try {
    return readdirSync(pathOf(folder), { withFileTypes: true })
  } catch (error) {
    throw explainErrno(error, given)
  }
}

/** An entry of an open folder as a listing shows it; undefined for what is gone or neither file, folder nor link. */
export function entryFor(folder: Descriptor, name: string, shownAs: string): FileEntry | undefined {
  const stats = entryOf(folder, name)
  const type = stats && typeOf(stats)
  return type && { name: shownAs, type, size: stats.size, modified: timeOf(stats) }
}
