import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  lchownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** Copies a file, link or folder atomically, with mode, owner and times; replaces an existing file or link. */
export function copyEntry(source: string, target: string): void {
  // The name is the same when this is repeated after a crash, so that no partial copy stays.
  const temporary = join(dirname(target), `.haft-${createHash('sha256').update(source).digest('hex').slice(0, 12)}.tmp`)
  try {
    rmSync(temporary, { recursive: true, force: true })
    copy(source, temporary)
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    throw error
  }
}

function copy(source: string, target: string): void {
  const stats = lstatSync(source)
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
  else if (stats.isDirectory()) {
    mkdirSync(target, 0o700)
    for (const name of readdirSync(source)) copy(join(source, name), join(target, name))
  } else copyFileSync(source, target)
  copyFacts(stats, target)
}

function copyFacts(stats: Stats, target: string): void {
  if (process.getuid?.() === 0) (stats.isSymbolicLink() ? lchownSync : chownSync)(target, stats.uid, stats.gid)
  if (!stats.isSymbolicLink()) chmodSync(target, stats.mode & 0o7777)
  lutimesSync(target, stats.atime, stats.mtime)
}
