import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The bytes of a key. */
const LENGTH = 32

/** Returns the key of masks in a home, made at its first use and readable by its owner alone. A random key where there is no home or it cannot be used. */
export function readMaskKey(home: string | undefined): Uint8Array {
  const fresh = crypto.getRandomValues(new Uint8Array(LENGTH))
  if (home === undefined) return fresh
  const path = join(home, 'mask.key')
  try {
    return readKey(path) ?? writeKey(path, fresh, home)
  } catch {
    return fresh
  }
}

function readKey(path: string): Uint8Array | undefined {
  try {
    const kept = readFileSync(path)
    return kept.length === LENGTH ? kept : undefined
  } catch {
    return undefined
  }
}

/** Writes the key in one step, unless another process was first; its key counts then. */
function writeKey(path: string, key: Uint8Array, home: string): Uint8Array {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const temporary = `${path}.${crypto.randomUUID()}`
  try {
    writeFileSync(temporary, key, { mode: 0o600, flag: 'wx' })
    linkSync(temporary, path)
    return key
  } catch {
    return readKey(path) ?? key
  } finally {
    rmSync(temporary, { force: true })
  }
}
