import { closeSync, fstatSync, readSync, type Stats } from 'node:fs'
import { ToolError } from '../../core/call/result.ts'
import type { FileContent, FileFacts, FileText } from '../../core/ports/files.ts'
import { MAX_READ, textOf } from '../../core/text/file-text.ts'
import { lazyCrypto } from '../../core/text/lazy-crypto.ts'
import { type Descriptor, openToRead, openToReadBelow } from '../descriptor.ts'
import { explainErrno, refusePath, shown } from '../file-errors.ts'
import { openToReadInside } from '../open-inside.ts'
import { factsOf, pathInside, relativeTo, type Space } from '../space.ts'

const CHUNK = 1 << 18

/** Where texts are read before they are decoded: fresh megabytes would keep the garbage collector busy. */
let scratch: Buffer | undefined

/** The whole of a regular file, at most `limit` bytes; the descriptor that was checked is the one that is read. */
export function readContent(space: Space, given: string, limit: number): FileContent {
  return readWhole(space, given, { limit, use: (bytes) => ({ bytes }) })
}

/** The same as text. */
export function readTextOf(space: Space, given: string, limit: number): FileText {
  scratch ??= Buffer.allocUnsafeSlow(MAX_READ + 1)
  return readWhole(space, given, { limit, scratch, use: (bytes) => ({ text: textOf(bytes) }) })
}

interface Reading<T> {
  readonly limit: number
  /** Memory to read into while it is large enough; `use` must not keep it. */
  readonly scratch?: Buffer
  use(bytes: Uint8Array): T
}

function readWhole<T>(space: Space, given: string, { limit, scratch, use }: Reading<T>): FileFacts & T {
  using file = openToReadInside(space, pathInside(space, given))
  const stats = statsOfFile(file, given)
  if (stats.size > limit) throw tooLarge(given, stats.size, limit)
  const memory = scratch && stats.size < scratch.length ? scratch : Buffer.allocUnsafeSlow(stats.size + 1)
  const bytes = reading(file, given, (fd) => readInto(fd, memory, limit))
  if (bytes === undefined) throw tooLarge(given, stats.size, limit)
  return { ...factsOf(relativeTo(space, file.where), 'file', stats), ...use(bytes) }
}

/** A content hash of an open file. */
export function hashOpen(fd: number): string {
  const sum = lazyCrypto().createHash('sha256')
  const chunk = Buffer.allocUnsafe(CHUNK)
  for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) sum.update(chunk.subarray(0, read))
  return sum.digest('hex')
}

/** The same hash of bytes at hand. */
export function hashBytes(bytes: Uint8Array): string {
  return lazyCrypto().hash('sha256', bytes, 'hex')
}

/** The stats of a regular file; refuses folders, fifos, sockets and devices. */
export function statsOfFile(file: Descriptor, given: string): Stats {
  const stats = fstatSync(file.fd)
  if (stats.isDirectory())
    throw refusePath(given, 'is a folder; a file was expected. list_directory shows what is in it')
  if (!stats.isFile()) throw refusePath(given, 'is not a regular file but a fifo, a socket or a device')
  return stats
}

/** Opens what a descriptor holds for reading, for as long as `read` takes. */
export function reading<T>(file: Descriptor, given: string, read: (fd: number) => T): T {
  return whileOpen(() => openToRead(file), { given, read })
}

/** The same for an entry of an open folder, a link not followed. */
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

/** All bytes, or undefined when the file grew past the limit while it was read. */
export function readAll(fd: number, size: number, limit: number): Uint8Array | undefined {
  return readInto(fd, Buffer.allocUnsafeSlow(size + 1), limit)
}

function readInto(fd: number, memory: Buffer, limit: number): Uint8Array | undefined {
  let bytes = memory
  let length = 0
  for (;;) {
    const read = readSync(fd, bytes, length, bytes.length - length, null)
    length += read
    if (read === 0) return bytes.subarray(0, length)
    if (length > limit) return undefined
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(CHUNK)])
  }
}

/** A file or a part of one is over the limit; says how to read less. */
export function tooLarge(given: string, size: number, limit: number): ToolError {
  return new ToolError(
    'TOO_LARGE',
    `${shown(given)} has ${size} bytes; at most ${limit} are read at once. Read a part of it by line range, for example {"path": ${JSON.stringify(given)}, "from": 1, "to": 200}, or find the place with search_text.`,
    { details: { path: given, size, limit } },
  )
}
