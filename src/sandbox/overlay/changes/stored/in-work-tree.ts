import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { lstatIfExists } from '../../../../files/stat-path.ts'
import type { StoredEntry } from './list-stored.ts'

/** The largest file that is compared, in bytes. */
const MAX_COMPARED = 50_000_000

/** Returns a function that tells whether a work tree holds an entry, so that a checkout of it brings nothing new. */
export function createWorkTreeCheck(folder: string): (entry: StoredEntry) => boolean {
  return ({ mode, object, path }) => {
    const at = join(folder, path)
    const stats = lstatIfExists(at)
    const kind = object.length === 40 ? 'sha1' : 'sha256'
    if (stats?.isSymbolicLink()) return mode === '120000' && nameBlob(kind, Buffer.from(readlinkSync(at))) === object
    if (stats?.isFile() !== true || stats.size > MAX_COMPARED) return false
    if (mode !== ((stats.mode & 0o100) !== 0 ? '100755' : '100644')) return false
    const bytes = readFileSync(at)
    // With core.autocrlf git stores other ends of lines than the work tree has.
    const plain = Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
    return nameBlob(kind, bytes) === object || nameBlob(kind, plain) === object
  }
}

/** Returns the name under which git stores a content. */
function nameBlob(kind: string, content: Buffer): string {
  return createHash(kind).update(`blob ${content.length}\0`).update(content).digest('hex')
}
