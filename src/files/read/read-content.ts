import { closeSync, fstatSync, readSync, type Stats } from 'node:fs'
import { ToolError } from '../../core/call/result.ts'
import type { FileContent, FileFacts, FileText } from '../../core/ports/files.ts'
import { MAX_READ, textOf } from '../../core/text/file-text.ts'
import { lazyCrypto } from '../../core/text/lazy-crypto.ts'
import { type Descriptor, openToRead, openToReadBelow } from '../descriptor.ts'
import { explainErrno, refusePath, shown } from '../file-errors.ts'
import { openToReadInside } from '../open-inside.ts'
import { factsOf, pathInside, relativeTo, type WorkspaceRoot } from '../workspace-root.ts'
import { CHUNK, readInto } from './read-all.ts'

/** A reused buffer for reading text: a new one for each read would load the garbage collector. */
let scratch: Buffer | undefined

/** Reads a regular file of at most `limit` bytes from the descriptor that was checked. */
export function readContent(root: WorkspaceRoot, given: string, limit: number): FileContent {
  return readWhole(root, given, { limit, use: (bytes) => ({ bytes }) })
}

/** Reads a regular file of at most `limit` bytes as text. */
export function readTextOf(root: WorkspaceRoot, given: string, limit: number): FileText {
  scratch ??= Buffer.allocUnsafeSlow(MAX_READ + 1)
  return readWhole(root, given, { limit, scratch, use: (bytes) => ({ text: textOf(bytes) }) })
}

interface Reading<T> {
  readonly limit: number
  /** A buffer to read into when it is large enough; `use` must not keep it. */
  readonly scratch?: Buffer
  use(bytes: Uint8Array): T
}

function readWhole<T>(root: WorkspaceRoot, given: string, { limit, scratch, use }: Reading<T>): FileFacts & T {
  using file = openToReadInside(root, pathInside(root, given))
  const stats = statsOfFile(file, given)
  if (stats.size > limit) throw tooLarge(given, stats.size, limit)
  const memory = scratch && stats.size < scratch.length ? scratch : Buffer.allocUnsafeSlow(stats.size + 1)
  const bytes = reading(file, given, (fd) => readInto(fd, memory, limit))
  if (bytes === undefined) throw tooLarge(given, stats.size, limit)
  return { ...factsOf(relativeTo(root, file.where), 'file', stats), ...use(bytes) }
}

/** A reused buffer for hashing: a new one for each of 100,000 files took a second. */
let hashed: Buffer | undefined

/** Returns the content hash of an open file. */
export function hashOpen(fd: number): string {
  hashed ??= Buffer.allocUnsafeSlow(CHUNK)
  const first = readSync(fd, hashed)
  const isSmall = first < CHUNK && readSync(fd, hashed, first, CHUNK - first, null) === 0
  if (isSmall) return hashBytes(hashed.subarray(0, first))
  return hashChunks(fd, hashed)
}

/** Hashes a file from its start. */
function hashChunks(fd: number, chunk: Buffer): string {
  const sum = lazyCrypto().createHash('sha256')
  let at = 0
  for (let read = readSync(fd, chunk, 0, CHUNK, at); read > 0; read = readSync(fd, chunk, 0, CHUNK, at)) {
    sum.update(chunk.subarray(0, read))
    at += read
  }
  return sum.digest('hex')
}

/** Returns the content hash of bytes. */
export function hashBytes(bytes: Uint8Array): string {
  return lazyCrypto().hash('sha256', bytes, 'hex')
}

/** Returns the stats of a regular file; refuses folders, fifos, sockets and devices. */
export function statsOfFile(file: Descriptor, given: string): Stats {
  const stats = fstatSync(file.fd)
  if (stats.isDirectory())
    throw refusePath(given, 'is a folder; a file was expected. Use list_directory to see its contents')
  if (!stats.isFile()) throw refusePath(given, 'is not a regular file but a fifo, a socket or a device')
  return stats
}

/** Opens the file of a descriptor for reading while `read` runs. */
export function reading<T>(file: Descriptor, given: string, read: (fd: number) => T): T {
  return whileOpen(() => openToRead(file), { given, read })
}

/** Opens an entry of an open folder for reading while `read` runs; a link is not followed. */
export function readingBelow<T>(folder: Descriptor, name: string, read: (fd: number) => T): T {
  return whileOpen(() => openToReadBelow(folder, name), { given: name, read })
}

function whileOpen<T>(open: () => number, { given, read }: { given: string; read: (fd: number) => T }): T {
  try {
    const fd = open()
    try {
      return read(fd)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    throw explainErrno(error, given)
  }
}

/** Returns the TOO_LARGE error, which says how to read less. */
export function tooLarge(given: string, size: number, limit: number): ToolError {
  return new ToolError(
    'TOO_LARGE',
    `${shown(given)} has ${size} bytes; the limit for one read is ${limit}. Read a line range, for example {"path": ${JSON.stringify(given)}, "from": 1, "to": 200}, or use search_text.`,
    { details: { path: given, size, limit } },
  )
}
