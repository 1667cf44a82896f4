import { accessSync, closeSync, constants, linkSync, openSync, renameSync, unlinkSync } from 'node:fs'
import type { FileFacts } from '../../core/ports/files.ts'
import { below } from '../descriptor.ts'
import { conflict, denied, errnoOf, explainErrno, refusePath } from '../file-errors.ts'
import { hashBytes } from '../read/read-content.ts'
import { entryOf, factsOf, type WorkspaceRoot } from '../workspace-root.ts'
import { type Change, createFolderReporter, keepExpected } from './change.ts'
import { missingEntry, openWriteTarget, type TargetEntry } from './target-entry.ts'
import { CREATE, writeBeside } from './temporary-file.ts'

/** What to write, and where. */
export interface WriteRequest {
  readonly given: string
  readonly bytes: Uint8Array
  readonly createParents: boolean
}

/** Writes a file atomically: to a temporary file beside it, then renamed through the folder's descriptor. Keeps mode and owner. */
export function writeFile(
  root: WorkspaceRoot,
  change: Change,
  { given, bytes, createParents }: WriteRequest,
): FileFacts {
  using entry = openWriteTarget(root, given, createParents ? createFolderReporter(change) : undefined)
  if (entry === undefined) throw missingEntry(root, given)
  refuseUnwritable(entry, given)
  try {
    return writeBeside(root, entry, { bytes, like: entry.stats }, ({ path: temporary, stats }) => {
      const before = keepExpected(change, given, freshen(entry))
      change.replaced({ call: change.call.id, path: entry.path, before, after: hashBytes(bytes) })
      if (before) renameSync(temporary, below(entry.folder, entry.name))
      else createExclusively(temporary, below(entry.folder, entry.name), given)
      return factsOf(entry.path, 'file', stats)
    })
  } catch (error) {
    throw explainErrno(error, given)
  }
}

/** Reads the entry's stats again: writing the temporary file took time. */
function freshen(entry: TargetEntry): TargetEntry {
  return { ...entry, stats: entryOf(entry.folder, entry.name) }
}

/** Refuses folders, special files and read-only files, which a rename would replace. */
export function refuseUnwritable({ folder, name, stats }: TargetEntry, given: string): void {
  if (stats === undefined) return
  if (stats.isDirectory()) throw refusePath(given, 'is a folder; a file was expected')
  if (!stats.isFile()) throw refusePath(given, 'is not a regular file but a fifo, a socket or a device')
  try {
    accessSync(below(folder, name), constants.W_OK)
  } catch {
    throw denied(given, 'the file is read-only')
  }
}

/** The errors of a file system or policy that does not allow a hard link. */
export const NO_HARD_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Gives a finished file its name; throws CONFLICT when the name is taken. */
function createExclusively(temporary: string, path: string, given: string): void {
  try {
    linkSync(temporary, path)
    unlinkSync(temporary)
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw conflict(given, 'was created since it was read.', 'CHANGED')
    if (!NO_HARD_LINKS.has(errnoOf(error) ?? '')) throw error
    closeSync(openSync(path, CREATE))
    renameSync(temporary, path)
  }
}
