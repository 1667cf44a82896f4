import { closeSync } from 'node:fs'
import { ToolError } from '../../core/call/result.ts'
import { openToRead } from '../descriptor.ts'
import { errnoOf } from '../file-errors.ts'
import { openToReadInside } from '../open-inside.ts'
import { findLineIndex, LineIndex } from '../read/line-index.ts'
import { statsOfFile } from '../read/read-content.ts'
import { readPart } from '../read/read-lines.ts'
import type { Space } from '../space.ts'

/** Reads again, through the door, what a search says it found; closed by `using` or before the next file. */
export interface HitReader extends Disposable {
  /** Points it at another file (relative to the workspace); one that the door or a rule refuses confirms nothing. */
  open(path: string): void
  /** True when the file holds exactly these bytes at this offset. */
  confirms(offset: number, bytes: Uint8Array): boolean
  /** The number of the line at an offset of a file that it confirms; quick where the file has an index. */
  lineAt(offset: number): number
}

/** Counts from the start of the file: for one that has changed since its index was asked for. */
const NO_INDEX = new LineIndex([0])

/** The search program walks by itself and could be led astray by a link swapped in: only what the door reads too is shown. */
export function createHitReader(space: Space): HitReader {
  let fd: number | undefined
  let index: LineIndex | undefined
  const close = () => {
    if (fd !== undefined) closeSync(fd)
    fd = undefined
    index = undefined
  }
  return {
    open(path) {
      close()
      fd = openFile(space, path)
    },
    confirms: (offset, bytes) => fd !== undefined && Buffer.compare(readPart(fd, offset, bytes.length), bytes) === 0,
    lineAt(offset) {
      if (fd === undefined) return 0
      index ??= findLineIndex(fd) ?? NO_INDEX
      return index.lineAt(fd, offset)
    },
    [Symbol.dispose]: close,
  }
}

function openFile(space: Space, path: string): number | undefined {
  try {
    using file = openToReadInside(space, path)
    statsOfFile(file, path)
    return openToRead(file)
  } catch (error) {
    if (error instanceof ToolError || errnoOf(error) === 'EACCES') return undefined
    throw error
  }
}
