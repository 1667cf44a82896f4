import type { Hash } from 'node:crypto'
import { constants, lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs'
import type { Kept } from '../../core/ports/files.ts'
import { lazyCrypto } from '../../core/text/lazy-crypto.ts'
import { below, type Descriptor, openBelow, pathOf } from '../descriptor.ts'
import { hashBytes, hashOpen, readingBelow } from '../read/read-content.ts'

/** Returns what `expects` compares: the content hash of a file, the target of a link, or a hash of names, sizes and times in a folder. */
export function stateOfEntry(folder: Descriptor, name: string, stats: Stats): string {
  if (stats.isSymbolicLink()) return `link ${readlinkSync(below(folder, name))}`
  if (!stats.isFile() && !stats.isDirectory()) return factsOfStats(stats)
  if (stats.isFile()) return readingBelow(folder, name, hashOpen)
  using entry = openBelow(folder, name, constants.O_DIRECTORY)
  const sum = lazyCrypto().createHash('sha256')
  addTree(sum, entry)
  return sum.digest('hex')
}

/** Returns the state of a kept entry, or undefined when its bytes were not kept. */
export function stateOfKept(kept: Kept): string | undefined {
  if (kept.type === 'symlink') return `link ${kept.target}`
  return kept.type === 'file' && kept.bytes ? hashBytes(kept.bytes) : undefined
}

function addTree(sum: Hash, folder: Descriptor): void {
  for (const name of readdirSync(pathOf(folder)).sort()) {
    const stats = lstatSync(below(folder, name), { throwIfNoEntry: false })
    if (stats === undefined) continue
    sum.update(`${JSON.stringify(name)} ${factsOfStats(stats)}\n`)
    if (!stats.isDirectory()) continue
    using child = openBelow(folder, name, constants.O_DIRECTORY)
    addTree(sum, child)
    sum.update('end\n')
  }
}

function factsOfStats(stats: Stats): string {
  return `${stats.ino}:${stats.mode}:${stats.size}:${stats.mtimeMs}`
}
