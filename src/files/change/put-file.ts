import { accessSync, closeSync, constants, linkSync, openSync, renameSync, unlinkSync } from 'node:fs'
import type { FileFacts } from '../../core/ports/files.ts'
import { below } from '../descriptor.ts'
import { conflict, denied, errnoOf, explainErrno, refusePath } from '../file-errors.ts'
import { hashBytes } from '../read/read-content.ts'
import { entryOf, factsOf, type Space } from '../space.ts'
import { type Change, keepExpected, makingFolder } from './change.ts'
import { missingPlace, openTarget, type Place } from './place.ts'
import { CREATE, writeBeside } from './temporary-file.ts'

/** What is to be written where. */
export interface Writing {
  readonly given: string
  readonly bytes: Uint8Array
  readonly createParents: boolean
}

/** Puts a file in place, whole or not at all: written beside it and renamed through the folder's descriptor. Mode and owner stay. */
export function putFile(space: Space, change: Change, { given, bytes, createParents }: Writing): FileFacts {
  using place = openTarget(space, given, createParents ? makingFolder(change) : undefined)
  if (place === undefined) throw missingPlace(space, given)
  refuseUnwritable(place, given)
  try {
    return writeBeside(space, place, { bytes, like: place.stats }, ({ path: temporary, stats }) => {
      const before = keepExpected(change, given, freshen(place))
      change.replaced({ call: change.call.id, path: place.path, before, after: hashBytes(bytes) })
      if (before) renameSync(temporary, below(place.folder, place.name))
      else createExclusively(temporary, below(place.folder, place.name), given)
      return factsOf(place.path, 'file', stats)
    })
  } catch (error) {
    throw explainErrno(error, given)
  }
}

/** The place as it is now: the temporary file took time to write. */
function freshen(place: Place): Place {
  return { ...place, stats: entryOf(place.folder, place.name) }
}

/** Refuses folders, special files and files that are read-only, which a rename would replace all the same. */
export function refuseUnwritable({ folder, name, stats }: Place, given: string): void {
  if (stats === undefined) return
  if (stats.isDirectory()) throw refusePath(given, 'is a folder; a file was expected')
  if (!stats.isFile()) throw refusePath(given, 'is not a regular file but a fifo, a socket or a device')
  try {
    accessSync(below(folder, name), constants.W_OK)
  } catch {
    throw denied(given, 'the file is read-only')
  }
}

/** How a file system, or the system's policy for files of others, says that it makes no hard link. */
export const NO_HARD_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Gives a finished file its name only while nothing has that name. */
function createExclusively(temporary: string, path: string, given: string): void {
  try {
    linkSync(temporary, path)
    unlinkSync(temporary)
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw conflict(given, 'has appeared since it was looked at.', 'CHANGED')
    if (!NO_HARD_LINKS.has(errnoOf(error) ?? '')) throw error
    closeSync(openSync(path, CREATE))
    renameSync(temporary, path)
  }
}
