import { closeSync, fstatSync } from 'node:fs'
import { lineCounter, SLICE } from './line-counter.ts'

/** The smallest file that gets an index, in bytes; lines of smaller files are counted while reading. */
export const LARGE_FILE = 8 << 20

/** The bytes between two entries: what is counted anew to find a line. */
const BLOCK = 1 << 14
/** How many indexes are kept; the least recently used is dropped first. */
const KEPT = 8

/** An index of the line starts of a large file, valid until the file changes. */
export class LineIndex {
  /** How many lines end before each block. */
  readonly #counts: readonly number[]

  constructor(counts: readonly number[]) {
    this.#counts = counts
  }

  /** Returns the number of the line at a byte offset, counted from 1. */
  lineAt(fd: number, offset: number): number {
    const block = Math.min(Math.floor(offset / BLOCK), this.#counts.length - 1)
    const counter = lineCounter()
    let line = 1 + (this.#counts[block] ?? 0)
    for (let from = block * BLOCK; from < offset; ) {
      const read = counter.read(fd, from, Math.min(offset - from, SLICE))
      if (read === 0) return line
      line += counter.count(0, read)
      from += read
    }
    return line
  }

  /** A entry not after the start of a line, and the line that begins or goes on there. */
  placeBefore(line: number): { readonly offset: number; readonly line: number } {
    let low = 0
    let high = this.#counts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.#counts[middle] ?? 0) < line - 1) low = middle
      else high = middle - 1
    }
    return { offset: low * BLOCK, line: 1 + (this.#counts[low] ?? 0) }
  }
}

const indexes = new Map<string, LineIndex>()
const underway = new Set<string>()

/** Returns the index of an open file in its current state, if there is one. */
export function findLineIndex(fd: number): LineIndex | undefined {
  const state = stateOf(fd)
  const index = indexes.get(state)
  if (index === undefined) return undefined
  indexes.delete(state)
  indexes.set(state, index)
  return index
}

/** Builds the index of an open file in small steps between other work, then closes the file. Never rejects; does not keep the process alive. */
export async function makeLineIndex(fd: number): Promise<void> {
  const state = stateOf(fd)
  const isWanted = !indexes.has(state) && !underway.has(state)
  if (isWanted) underway.add(state)
  try {
    const counts = isWanted ? await countBlocks(fd) : undefined
    if (counts === undefined || stateOf(fd) !== state) return
    indexes.set(state, new LineIndex(counts))
    for (const oldest of indexes.keys()) if (indexes.size > KEPT) indexes.delete(oldest)
  } catch {
    // A file that can no longer be read gets no index; the next read reports why.
  } finally {
    if (isWanted) underway.delete(state)
    closeSync(fd)
  }
}

async function countBlocks(fd: number): Promise<number[]> {
  const counts: number[] = []
  const counter = lineCounter()
  let lines = 0
  for (let offset = 0; ; offset += SLICE) {
    const read = counter.read(fd, offset)
    for (let from = 0; from < read; from += BLOCK) {
      counts.push(lines)
      lines += counter.count(from, Math.min(from + BLOCK, read))
    }
    if (read < SLICE) return counts.length > 0 ? counts : [0]
    await new Promise<void>((resolve) => setTimeout(resolve, 1).unref())
  }
}

/** Returns a value that changes when the file changes. */
function stateOf(fd: number): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(fd, { bigint: true })
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`
}
