import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'

/** Writes a value as JSON to a file of a run folder, atomically and durably: after a crash the file is complete or not there. */
export function writeDurably(path: string, value: unknown): void {
  const temporary = `${path}.tmp`
  rmSync(temporary, { force: true })
  const file = openSync(temporary, 'wx', 0o600)
  try {
    writeSync(file, JSON.stringify(value))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
}
