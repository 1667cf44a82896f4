import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createMemoryFile, type KeptFile } from '../core/mcp/kept-file.ts'

/** How long a change waits for other processes, in milliseconds. */
const BUSY_TIMEOUT = 5_000

/** Opens a file of Haft's home; without a path one that lasts as long as the process. */
export function openKeptFile(path: string | undefined): KeptFile {
  if (path === undefined) return createMemoryFile()
  return { path, read: () => readText(path), change: (next) => changeFile(path, next) }
}

/** Replaces the text of a file of Haft's home by what `next` makes of the present one, while no other process does; undefined leaves it as it is. The system lets go of the lock when a process ends, however it ends. */
export function changeFile(path: string, next: (text: string | undefined) => string | undefined): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const lockPath = lockOf(path)
  closeSync(openSync(lockPath, 'a', 0o600))
  const lock = new DatabaseSync(lockPath, { timeout: BUSY_TIMEOUT })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    const text = next(readText(path))
    if (text !== undefined) replaceFile(path, text)
  } finally {
    lock.close()
  }
}

/** The file that is locked by whoever changes another one: `trust.lock` for `trust.json`. */
export function lockOf(path: string): string {
  return path.replace(/\.\w+$/, '.lock')
}

/** Writes a file all at once, so that a reader never sees half of it. */
export function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** Returns undefined where there is no file. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR'))
      return undefined
    throw thrown
  }
}
