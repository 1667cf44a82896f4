import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  openSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs'
import { lazyCrypto } from '../../core/text/lazy-crypto.ts'
import { below } from '../descriptor.ts'
import type { WorkspaceRoot } from '../workspace-root.ts'
import { processMark, sweepFolder } from './sweep-folder.ts'
import type { TargetEntry } from './target-entry.ts'

/** Flags that create a new file and follow no link. */
export const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/** Distinguishes our temporary files from those of other processes and of other copies of this module. */
let ours: string | undefined
let written = 0

/** The bytes of a file, and whose owner and mode it gets; a new file gets the process's defaults. */
export interface Content {
  readonly bytes: Uint8Array
  readonly like: Pick<Stats, 'uid' | 'gid' | 'mode'> | { readonly mode: number } | undefined
}

/** A finished file under its temporary name. */
export interface TemporaryFile {
  readonly path: string
  readonly stats: Stats
}

/** Writes a temporary file beside an entry and passes it to `name`, which renames it. Removes it when `name` throws. Sweeps the folder first. */
export function writeBeside<T>(
  root: WorkspaceRoot,
  entry: TargetEntry,
  content: Content,
  name: (file: TemporaryFile) => T,
): T {
  sweepFolder(root, entry.folder)
  ours ??= `${processMark()}-${lazyCrypto().randomBytes(6).toString('hex')}`
  const path = below(entry.folder, `.haft-${ours}-${++written}.tmp`)
  try {
    return name({ path, stats: writeNew(path, content) })
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

/** Creates a file with its content, owner and mode. */
export function writeNew(path: string, { bytes, like }: Content): Stats {
  const fd = openSync(path, CREATE, like ? 0o600 : 0o666)
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
    const stats = fstatSync(fd)
    if (like) keepOwnerAndMode(fd, stats, like)
    return stats
  } finally {
    closeSync(fd)
  }
}

/** Sets the owner (only root can) and then the mode, because a change of owner clears mode bits. */
function keepOwnerAndMode(fd: number, stats: Stats, like: NonNullable<Content['like']>): void {
  const isOther = 'uid' in like && (stats.uid !== like.uid || stats.gid !== like.gid)
  if (isOther && process.getuid?.() === 0) fchownSync(fd, like.uid, like.gid)
  fchmodSync(fd, like.mode & 0o7777)
}
