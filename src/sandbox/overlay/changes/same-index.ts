import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** True if two files are indexes of git that differ only in what git remembers of the files' stats: commands that only look, such as `git describe --dirty`, refresh it. */
export function isSameIndex(path: string, one: string, other: string): boolean {
  if (path !== 'index' && !path.endsWith('/index')) return false
  const [a, b] = [withoutStats(readFileSync(one)), withoutStats(readFileSync(other))]
  return a !== undefined && b !== undefined && a.equals(b)
}

const HEADER = 12
/** The bytes of a SHA-1. */
const HASH = 20
/** The part of an entry before its mode, and the part from its owner to its hash. */
const STATS = [
  [0, 24],
  [28, 40],
] as const
const IS_EXTENDED = 0x4000

/** Returns an index of version 2 or 3 with empty stats and without its checksum; undefined for anything else, also for one with longer hashes. Changes what it is given. */
function withoutStats(file: Buffer): Buffer | undefined {
  if (file.length < HEADER + HASH || file.toString('latin1', 0, 4) !== 'DIRC') return undefined
  if (![2, 3].includes(file.readUInt32BE(4))) return undefined
  const content = file.subarray(0, file.length - HASH)
  if (!createHash('sha1').update(content).digest().equals(file.subarray(-HASH))) return undefined
  let at = HEADER
  for (let left = file.readUInt32BE(8); left > 0; left--) {
    const flags = at + 40 + HASH
    if (flags + 4 > file.length) return undefined
    const name = flags + ((file.readUInt16BE(flags) & IS_EXTENDED) === 0 ? 2 : 4)
    const end = file.indexOf(0, name)
    if (end === -1) return undefined
    for (const [from, to] of STATS) file.fill(0, at + from, at + to)
    // An entry ends with one to eight zeros, so that its length is a multiple of eight.
    at += (end - at + 8) & ~7
  }
  return at > content.length ? undefined : content
}
