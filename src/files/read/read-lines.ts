import { readSync } from 'node:fs'
import { ToolError } from '../../core/call/result.ts'
import type { FileLines } from '../../core/ports/files.ts'
import { openToRead } from '../descriptor.ts'
import { shown } from '../file-errors.ts'
import { openToReadInside } from '../open-inside.ts'
import { factsOf, pathInside, relativeTo, type WorkspaceRoot } from '../workspace-root.ts'
import { findLineIndex, LARGE_FILE, makeLineIndex } from './line-index.ts'
import { reading, statsOfFile, tooLarge } from './read-content.ts'

const CHUNK = 1 << 18

/** Reads the lines `from` to `to` of a regular file of any size. */
export function readLinesOf(
  root: WorkspaceRoot,
  given: string,
  { from, to, limit }: { from: number; to: number; limit: number },
): FileLines {
  using file = openToReadInside(root, pathInside(root, given))
  const stats = statsOfFile(file, given)
  const range = reading(file, given, (fd) => findLines(fd, { from, to, size: stats.size }))
  if (range.start >= LARGE_FILE) void makeLineIndex(openToRead(file))
  if (from > Math.max(range.last, 1)) throw pastTheEnd(given, from, range.last)
  if (range.end - range.start > limit) throw tooLarge(given, range.end - range.start, limit)
  const bytes = reading(file, given, (fd) => readPart(fd, range.start, range.end - range.start))
  const reached = Math.max(from, Math.min(to, range.last))
  return {
    ...factsOf(relativeTo(root, file.where), 'file', stats),
    bytes,
    from,
    to: reached,
    ...(range.atEnd && { total: range.last }),
  }
}

interface LineRange {
  readonly start: number
  readonly end: number
  /** The last line that was counted. */
  readonly last: number
  readonly atEnd: boolean
}

/** Finds the byte range of lines; reads no further than necessary. */
function findLines(fd: number, { from, to, size }: { from: number; to: number; size: number }): LineRange {
  const chunk = Buffer.allocUnsafe(CHUNK)
  const known = size < LARGE_FILE ? undefined : findLineIndex(fd)?.placeBefore(from)
  let { offset, line } = known ?? { offset: 0, line: 1 }
  let start = from === 1 ? 0 : -1
  let endsOpen = false
  for (let read = readSync(fd, chunk, 0, CHUNK, offset); read > 0; read = readSync(fd, chunk, 0, CHUNK, offset)) {
    for (let at = chunk.indexOf(10); at >= 0 && at < read; at = chunk.indexOf(10, at + 1)) {
      const end = offset + at + 1
      if (line === to) return { start, end, last: line, atEnd: end >= size }
      line++
      if (line === from) start = end
    }
    offset += read
    endsOpen = chunk[read - 1] !== 10
  }
  const last = endsOpen ? line : line - 1
  return { start: start < 0 ? offset : start, end: offset, last, atEnd: true }
}

/** Reads a part of an open file; returns fewer bytes when the file ends earlier. */
export function readPart(fd: number, start: number, length: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(length)
  let done = 0
  while (done < length) {
    const read = readSync(fd, bytes, done, length - done, start + done)
    if (read === 0) break
    done += read
  }
  return bytes.subarray(0, done)
}

function pastTheEnd(given: string, from: number, last: number): ToolError {
  return new ToolError('INVALID_ARGUMENTS', `${shown(given)} has ${last} lines; line ${from} is past its end.`, {
    details: { path: given, lines: last },
  })
}
