import type { FileFacts, FilesDoor, ReadFiles, Replaced, StateOf, WriteTarget } from '../core/files.ts'
import type { Change } from './change.ts'
import { deleteEntry } from './delete-entry.ts'
import { listFolder } from './list-folder.ts'
import { moveEntry } from './move-entry.ts'
import { checkMissingPlace, openPlace, openTarget } from './place.ts'
import { putFile, refuseUnwritable } from './put-file.ts'
import { readContent } from './read-content.ts'
import { readLinesOf } from './read-lines.ts'
import { factsOf, openSpace, type Space, typeOf } from './space.ts'
import { stateOfEntry } from './state.ts'

/** What the door needs of the house. */
export interface FilesOptions {
  readonly workspace: string
  /** Hears, before each change, what it replaces; when it throws, the change does not happen. */
  replaced(record: Replaced): void
}

/** Opens the guarded door to a workspace: the only way tools touch files. Throws when the workspace does not exist. */
export function createFiles({ workspace, replaced }: FilesOptions): FilesDoor {
  const space = openSpace(workspace)
  const looking = createReadFiles(space)
  return {
    ...looking,
    forCall({ id, expects }) {
      const change: Change = { call: id, expects, replaced }
      return {
        ...looking,
        write: (given, bytes, { createParents = true } = {}) => putFile(space, change, { given, bytes, createParents }),
        delete: (given, { recursive = false } = {}) => deleteEntry(space, change, { given, recursive }),
        move: (from, to, { overwrite = false } = {}) => moveEntry(space, change, { from, to, overwrite }),
      }
    },
  }
}

function createReadFiles(space: Space): ReadFiles {
  return {
    changeable: (given) => findEntry(space, given),
    writable: (given) => findTarget(space, given),
    read: (given, limit) => readContent(space, given, limit),
    readLines: (given, lines) => readLinesOf(space, given, lines),
    state: (given, of) => findState(space, given, of),
    list: (given, options) => listFolder(space, given, options),
    walk: async (given, options) => (await import('./walk-tree.ts')).walkTree(space, given, options),
    search: async (query, found) => (await import('./search-text.ts')).searchText(space, query, found),
  }
}

function findEntry(space: Space, given: string): FileFacts | undefined {
  using place = openPlace(space, given)
  if (place?.stats === undefined) {
    if (place === undefined) checkMissingPlace(space, given)
    return undefined
  }
  return factsOf(place.path, typeOf(place.stats) ?? 'file', place.stats)
}

function findTarget(space: Space, given: string): WriteTarget {
  using place = openTarget(space, given)
  if (place === undefined) return { path: checkMissingPlace(space, given), current: undefined }
  refuseUnwritable(place, given)
  return { path: place.path, current: place.stats && factsOf(place.path, 'file', place.stats) }
}

function findState(space: Space, given: string, of: StateOf): string | null {
  using place = of === 'content' ? openTarget(space, given) : openPlace(space, given)
  return place?.stats ? stateOfEntry(place.folder, place.name, place.stats) : null
}
