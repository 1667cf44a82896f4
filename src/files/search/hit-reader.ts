import { closeSync } from 'node:fs'
import { ToolError } from '../../core/call/result.ts'
import { openToRead } from '../descriptor.ts'
import { errnoOf } from '../file-errors.ts'
import { openToReadInside } from '../open-inside.ts'
import { findLineIndex, LineIndex } from '../read/line-index.ts'
import { statsOfFile } from '../read/read-content.ts'
import { readPart } from '../read/read-lines.ts'
import type { WorkspaceRoot } from '../workspace-root.ts'

/** Confirms search hits by reading them again through the guarded access. Closed by `using`. */
export interface HitReader extends Disposable {
  /** Opens the next file (relative to the workspace). For a file that the workspace or a rule refuses, no hit is confirmed. */
  open(path: string): void
  /** True when the file holds exactly these bytes at this offset. */
  confirms(offset: number, bytes: Uint8Array): boolean
  /** Returns the line number at an offset of a confirmed file; fast when the file has an index. */
  lineAt(offset: number): number
}

/** An empty index, which counts from the start of the file. */
const NO_INDEX = new LineIndex([0])

/** Creates a reader. The search program follows paths on its own and could be misled by a link swapped in, so only hits that the guarded access can read are shown. */
export function createHitReader(root: WorkspaceRoot): HitReader {
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
      fd = openFile(root, path)
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

function openFile(root: WorkspaceRoot, path: string): number | undefined {
  try {
    using file = openToReadInside(root, path)
    statsOfFile(file, path)
    return openToRead(file)
  } catch (error) {
    if (error instanceof ToolError || errnoOf(error) === 'EACCES') return undefined
    throw error
  }
}
