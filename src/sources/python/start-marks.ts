import { closeSync, ftruncateSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** How many calls one process runs at a time; more wait for their turn. */
export const SLOTS = 256

const BYTES = 8

/** A file that a host process maps: in the slot of each call it writes the call's number right before the handler begins. What is not there after a crash has not begun. */
export class StartMarks {
  readonly path: string
  readonly #folder: string
  readonly #file: number

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'haft-python-'))
    this.path = join(this.#folder, 'marks')
    this.#file = openSync(this.path, 'w+', 0o600)
    ftruncateSync(this.#file, SLOTS * BYTES)
  }

  /** True where the handler of that call has begun. */
  has(slot: number, number: number): boolean {
    const bytes = Buffer.alloc(BYTES)
    readSync(this.#file, bytes, 0, BYTES, slot * BYTES)
    return bytes.readBigInt64LE() === BigInt(number)
  }

  /** Takes away the file's name, once the process has mapped it. */
  unlink(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  close(): void {
    this.unlink()
    closeSync(this.#file)
  }
}
