import { randomUUID } from 'node:crypto'
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Bytes that programs read from a descriptor, stored in an unlinked file. */
export interface DataDescriptor {
  /** Returns a new descriptor at the start of the data; the caller closes it. */
  open(): number
  /** Closes the file. May be called twice. */
  close(): void
}

/** Stores bytes in a file that nobody else can open and that disappears with this process. */
export function createDataDescriptor(bytes: Uint8Array): DataDescriptor {
  const path = join(tmpdir(), `haft-${randomUUID()}`)
  const kept = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  writeSync(kept, bytes)
  let isClosed = false
  return {
    open: () => openSync(`/proc/self/fd/${kept}`, 'r'),
    close() {
      if (!isClosed) closeSync(kept)
      isClosed = true
    },
  }
}
