import type { Stats } from 'node:fs'
import { ToolError } from '../core/call/result.ts'
import type { FileFacts, FindDeny, GuardedFiles, ReadFiles, Replaced, StateOf, Target } from '../core/ports/files.ts'
import type { Change } from './change/change.ts'
import { deleteEntry } from './change/delete-entry.ts'
import { KEPT_LIMIT } from './change/keep.ts'
import { moveEntry } from './change/move-entry.ts'
import { checkMissingPlace, missingPlace, openMadePlace, openPlace, openTarget, type Place } from './change/place.ts'
import { putFile, refuseUnwritable } from './change/put-file.ts'
import { restoreEntry } from './change/restore-entry.ts'
import { stateOfEntry } from './change/state.ts'
import { explainErrno } from './file-errors.ts'
import { refuseDenied } from './open-inside.ts'
import { listFolder } from './read/list-folder.ts'
import { readContent, readTextOf } from './read/read-content.ts'
import { readLinesOf } from './read/read-lines.ts'
import { factsOf, openSpace, type Space, typeOf } from './space.ts'

/** What the door needs of the house. */
export interface FilesOptions {
  readonly workspace: string
  /** The largest file that is kept for undo, in bytes; 50 MB when left out. */
  readonly keptLimit?: number
  /** Hears, before each change, what it replaces; when it throws, the change does not happen. */
  replaced(record: Replaced): void
}

/** Opens the guarded door to a workspace: the only way tools touch files. Throws when the workspace does not exist. */
export function createFiles({ workspace, keptLimit = KEPT_LIMIT, replaced }: FilesOptions): GuardedFiles {
  const space = openSpace(workspace)
  const reader = (findDeny?: FindDeny) => createReadFiles(findDeny ? { ...space, findDeny } : space, keptLimit)
  return {
    looking: (findDeny) => ({
      ...reader(findDeny),
      write: refuseChange,
      delete: refuseChange,
      move: refuseChange,
      restore: refuseChange,
    }),
    forCall(call) {
      const change: Change = { call, keptLimit, replaced }
      return {
        ...reader(call.findDeny),
        write: (given, bytes, { createParents = true } = {}) =>
          explained(given, () => putFile(space, change, { given, bytes, createParents })),
        delete: (given, { recursive = false } = {}) =>
          explained(given, () => deleteEntry(space, change, { given, recursive })),
        move: (from, to, { overwrite = false } = {}) =>
          explained(to, () => moveEntry(space, change, { from, to, overwrite })),
        restore: (given, kept) => explained(given, () => restoreEntry(space, change, { given, kept })),
      }
    },
  }
}

function refuseChange(): never {
  throw new ToolError('EXECUTION_ERROR', 'A tool changes files only while it runs, not while it prepares.')
}

function createReadFiles(space: Space, keptLimit: number): ReadFiles {
  return {
    keptLimit,
    existing: (given) => explained(given, () => findExisting(space, given)),
    changeable: (given) => explained(given, () => findChangeable(space, given)),
    writable: (given) => explained(given, () => findWritable(space, given)),
    read: (given, limit) => explained(given, () => readContent(space, given, limit)),
    readText: (given, limit) => explained(given, () => readTextOf(space, given, limit)),
    readLines: (given, lines) => explained(given, () => readLinesOf(space, given, lines)),
    state: (given, of) => explained(given, () => findState(space, given, of)),
    left: (given) => explained(given, () => findLeft(space, given)),
    diff: (given, bytes) =>
      explainedLater(given, async () => (await import('./change/diff-file.ts')).diffFile(space, given, bytes)),
    list: (given, options) => explained(given, () => listFolder(space, given, options)),
    walk: (given, options) =>
      explainedLater(given, async () => (await import('./read/walk-tree.ts')).walkTree(space, given, options)),
    search: (query, found) =>
      explainedLater(query.path, async () => (await import('./search/search-text.ts')).searchText(space, query, found)),
  }
}

/** Runs a look or a change; a system error that nobody below has explained is explained with the path as it was given. */
function explained<T>(given: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explainErrno(error, given)
  }
}

async function explainedLater<T>(given: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw explainErrno(error, given)
  }
}

function findExisting(space: Space, given: string): FileFacts {
  using place = openPlace(space, given)
  if (place?.stats === undefined) throw missingPlace(space, given)
  return factsOfPlace(place, place.stats)
}

function findTarget(space: Space, given: string, place: Place | undefined): Target {
  if (place === undefined) return { path: checkMissingPlace(space, given), current: undefined, hasFolder: false }
  const { path, stats } = place
  return { path, current: stats && factsOfPlace(place, stats), hasFolder: true }
}

function findWritable(space: Space, given: string): Target {
  using place = openTarget(space, given)
  if (place) refuseUnwritable(place, given)
  return findTarget(space, given, place)
}

function findChangeable(space: Space, given: string): Target {
  using place = openPlace(space, given)
  return findTarget(space, given, place)
}

function factsOfPlace({ path }: Place, stats: Stats): FileFacts {
  return factsOf(path, typeOf(stats) ?? 'file', stats)
}

function findState(space: Space, given: string, of: StateOf): string | null {
  using place = of === 'content' ? openTarget(space, given) : openPlace(space, given)
  if (of === 'content' && place) refuseDenied(space, given, place.path)
  return place?.stats ? stateOf(place, place.stats, given) : null
}

function stateOf({ folder, name }: Place, stats: Stats, given: string): string {
  try {
    return stateOfEntry(folder, name, stats)
  } catch (error) {
    throw explainErrno(error, given)
  }
}

function findLeft(space: Space, given: string): string | null {
  using place = openMadePlace(space, given)
  if (place?.stats === undefined) return null
  return place.stats.isDirectory() ? 'folder' : stateOf(place, place.stats, given)
}
