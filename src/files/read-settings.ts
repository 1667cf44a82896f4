import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { insidePath } from '../core/text/paths.ts'

/** The largest settings file that is read, in bytes. */
const MAX_BYTES = 64 * 1024

/** Returns a function that reads a small settings file of a workspace, such as `.npmrc`; undefined where there is none. Links are not followed. Never throws. */
export function createSettingsReader(workspace: string): (path: string) => string | undefined {
  return (path) => {
    if (insidePath(workspace, path) === undefined) return undefined
    try {
      const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
      try {
        if (!fstatSync(descriptor).isFile()) return undefined
        const bytes = Buffer.alloc(MAX_BYTES)
        return bytes.toString('utf8', 0, readSync(descriptor, bytes))
      } finally {
        closeSync(descriptor)
      }
    } catch {
      return undefined
    }
  }
}
