import { readSync } from 'node:fs'

/** How many bytes are read at once. */
export const CHUNK = 1 << 18

/** Returns all bytes, or undefined when the file grew beyond the limit during the read. */
export function readAll(fd: number, size: number, limit: number): Uint8Array | undefined {
  return readInto(fd, Buffer.allocUnsafeSlow(size + 1), limit)
}

/** Reads into the given memory first; more is taken as it is needed. */
export function readInto(fd: number, memory: Buffer, limit: number): Uint8Array | undefined {
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
