import { isGitName } from './git-folders.ts'

/** The bytes of an entry before its hash: times, inode, mode, owner and size; flags of two bytes follow the hash. */
const FACTS = 40
const EXTENDED = 0x4000

/** True for an index of git whose paths git itself would accept: `git checkout .` writes each of them, also one like `.git/hooks/post-checkout`, without looking at its name. False where any of it cannot be read for certain. */
export function isHarmlessIndex(bytes: Uint8Array, hashLength: number): boolean {
  const index = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (index.length < 12 || index.toString('latin1', 0, 4) !== 'DIRC') return false
  const version = index.readUInt32BE(4)
  if (version < 2 || version > 4) return false
  const fixed = FACTS + hashLength + 2
  let at = 12
  let path = ''
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    if (at + fixed > index.length) return false
    const start = at + fixed + (index.readUInt16BE(at + fixed - 2) & EXTENDED ? 2 : 0)
    const entry = version === 4 ? readShort(index, start, path) : readPlain(index, start)
    if (entry === undefined || !isHarmlessPath(entry.path)) return false
    path = entry.path
    at = version === 4 ? entry.end : at + Math.ceil((entry.end - at) / 8) * 8
  }
  return true
}

interface IndexEntry {
  readonly path: string
  /** Where the entry ends, without what fills it up. */
  readonly end: number
}

function readPlain(index: Buffer, start: number): IndexEntry | undefined {
  const end = index.indexOf(0, start)
  return end === -1 ? undefined : { path: index.toString('utf8', start, end), end: end + 1 }
}

/** Reads a path of version 4: how much of the end of the path before is cut off, and what follows instead. */
function readShort(index: Buffer, start: number, before: string): IndexEntry | undefined {
  let at = start
  let byte = index[at++] ?? 0
  let cut = byte & 127
  while (byte & 128) {
    byte = index[at++] ?? 0
    cut = (cut + 1) * 128 + (byte & 127)
  }
  const rest = readPlain(index, at)
  const kept = Buffer.from(before)
  if (rest === undefined || cut > kept.length) return undefined
  return { path: kept.toString('utf8', 0, kept.length - cut) + rest.path, end: rest.end }
}

/** A folder of a sparse index ends with a slash. An empty path stands for one of the shared index, which is checked by itself. */
function isHarmlessPath(path: string): boolean {
  if (path === '') return true
  const names = path.replace(/\/$/, '').split('/')
  return names.every((name) => name !== '' && name !== '.' && name !== '..' && !name.split('\\').some(isGitName))
}
