import { closeSync, fstatSync } from 'node:fs'
import { lineCounter, SLICE } from './line-counter.ts'

/** Files from this size on are worth an index, in bytes; smaller ones are counted through as they are read. */
export const LARGE_FILE = 8 << 20

/** The bytes between two entries: what is counted anew to find a line. */
const BLOCK = 1 << 14
/** How many files have an index at the same time; the one used longest ago goes first. */
const KEPT = 8

/** Where the lines of a large file begin, while it stays as it is. */
export class LineIndex {
  /** How many lines end before each block. */
  readonly #counts: readonly number[]

  constructor(counts: readonly number[]) {
    this.#counts = counts
  }

  /** The number of the line that the byte at `offset` is in, the first being 1. */
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

  /** A place not after the start of a line, and the line that begins or goes on there. */
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

/** The index of an open file, where it was made for just this state of it. */
export function findLineIndex(fd: number): LineIndex | undefined {
  const state = stateOf(fd)
  const index = indexes.get(state)
  if (index === undefined) return undefined
  indexes.delete(state)
  indexes.set(state, index)
  return index
}

/** Makes the index of an open file a little at a time, so that other work goes on, and then closes it. Never rejects; keeps no process alive. */
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
    // A file that can no longer be read has no index; whoever reads it next is told why.
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

/** What changes when a file does. */
function stateOf(fd: number): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(fd, { bigint: true })
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`
}
