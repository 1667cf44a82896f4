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
import type { Space } from '../space.ts'
import type { Place } from './place.ts'
import { ownerMark, sweepFolder } from './sweep-folder.ts'

/** Flags that make a new file and follow no link. */
export const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/** Tells our temporary files from those of other processes, and of copies of this code in the same one. */
let ours: string | undefined
let written = 0

/** What a file is to hold, and whose it is to be; a new one gets the mode that the process gives. */
export interface Content {
  readonly bytes: Uint8Array
  readonly like: Pick<Stats, 'uid' | 'gid' | 'mode'> | { readonly mode: number } | undefined
}

/** A finished file that has not its name yet. */
export interface TemporaryFile {
  readonly path: string
  readonly stats: Stats
}

/** Writes a file beside its place, for `name` to put there whole; it is gone when that throws. Takes away what dead processes left there. */
export function writeBeside<T>(space: Space, place: Place, content: Content, name: (file: TemporaryFile) => T): T {
  sweepFolder(space, place.folder)
  ours ??= `${ownerMark()}-${lazyCrypto().randomBytes(6).toString('hex')}`
  const path = below(place.folder, `.haft-${ours}-${++written}.tmp`)
  try {
    return name({ path, stats: write(path, content) })
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

function write(path: string, { bytes, like }: Content): Stats {
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

/** Only root can give files away; a change of owner clears bits of the mode, so the mode comes last. */
function keepOwnerAndMode(fd: number, stats: Stats, like: NonNullable<Content['like']>): void {
  const isOther = 'uid' in like && (stats.uid !== like.uid || stats.gid !== like.gid)
  if (isOther && process.getuid?.() === 0) fchownSync(fd, like.uid, like.gid)
  fchmodSync(fd, like.mode & 0o7777)
}
