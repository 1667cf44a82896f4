import { readlinkSync, type Stats } from 'node:fs'
import type { Kept } from '../../core/ports/files.ts'
import { below, type Descriptor } from '../descriptor.ts'
import { readAll } from '../read/read-all.ts'
import { readingBelow } from '../read/read-content.ts'

/** The default for the largest file kept for undo, in bytes. */
export const KEPT_LIMIT = 50_000_000

interface Entry {
  readonly folder: Descriptor
  readonly name: string
  readonly stats: Stats
}

/** Reads an entry of an open folder for undo. Links are not followed; a file above the limit is not read. */
export function keepEntry({ folder, name, stats }: Entry, limit: number): Kept {
  const mode = stats.mode & 0o7777
  if (stats.isSymbolicLink()) return { type: 'symlink', target: readlinkSync(below(folder, name)) }
  if (stats.isDirectory()) return { type: 'directory', mode }
  if (!stats.isFile() || stats.size > limit) return { type: 'file', mode, bytes: null }
  const bytes = readingBelow(folder, name, (fd) => readAll(fd, stats.size, limit))
  return { type: 'file', mode, bytes: bytes ?? null }
}
