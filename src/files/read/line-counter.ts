import { readSync } from 'node:fs'

/** How many bytes are read and counted at once. */
export const SLICE = 4 << 20

/**
 * Counts newline bytes in a range of its memory, sixteen at a time: eight times as fast as JavaScript.
 *
 *   (module
 *     (memory (export "memory") 65)
 *     (func (export "count") (param $at i32) (param $end i32) (result i32) (local $sum i32)
 *       (loop $next
 *         (if (i32.lt_u (local.get $at) (local.get $end))
 *           (then
 *             (local.set $sum (i32.add (local.get $sum)
 *               (i32.popcnt (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (i8x16.splat (i32.const 10)))))))
 *             (local.set $at (i32.add (local.get $at) (i32.const 16)))
 *             (br $next))))
 *       (local.get $sum)))
 */
const PROGRAM = `
  00 61 73 6d 01 00 00 00  01 07 01 60 02 7f 7f 01 7f  03 02 01 00  05 03 01 00 41
  07 12 02 06 6d 65 6d 6f 72 79 02 00 05 63 6f 75 6e 74 00 00
  0a 30 01 2e 01 01 7f  03 40 20 00 20 01 49 04 40
  20 02 20 00 fd 00 00 00 41 0a fd 0f fd 23 fd 64 69 6a 21 02
  20 00 41 10 6a 21 00 0c 01 0b 0b 20 02 0b`

/** Counts the line ends of open files. */
export interface LineCounter {
  /** Reads up to one slice from an offset; returns the number of bytes read. */
  read(fd: number, offset: number, length?: number): number
  /** The ends of lines in what was read last, from one entry of it to another; both a multiple of 16, or the end. */
  count(from: number, to: number): number
}

/** The parts of WebAssembly used here, which Node's types leave out. */
declare const WebAssembly: {
  readonly Module: new (program: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

let made: LineCounter | undefined

/** Returns the counter that the process shares; count after each read, before the next one. */
export function lineCounter(): LineCounter {
  made ??= makeCounter()
  return made
}

function makeCounter(): LineCounter {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(PROGRAM.replace(/\s/g, ''), 'hex')))
  // The program above exports these two.
  const { memory, count } = exports as { memory: { buffer: ArrayBuffer }; count(from: number, to: number): number }
  const bytes = new Uint8Array(memory.buffer)
  return {
    read(fd, offset, length = SLICE) {
      const read = readSync(fd, bytes, 0, length, offset)
      bytes.fill(0, read, read + 16)
      return read
    },
    count,
  }
}
