import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stampEntry } from './watch/stamp-folder.ts'

/** Larger files are compared by time and size only, in bytes. */
const LARGE = 5_000_000

/** Makes a function that digests one file with those beside it that the pattern fits, which it may import. They are read once a folder. */
export function createFileDigest(helpers: RegExp): (file: string, text?: string) => string {
  const folders = new Map<string, string>()
  return (file, text) => {
    const folder = dirname(file)
    const beside = folders.get(folder) ?? digestFolder(folder, helpers)
    folders.set(folder, beside)
    return createHash('sha256')
      .update(text ?? contentOf(file))
      .update(beside)
      .digest('hex')
  }
}

/** A digest of the names and contents of a folder's files that the pattern fits; of times it depends only for what cannot be read. Empty where there is no such folder. */
export function digestFolder(folder: string, names: RegExp): string {
  const hash = createHash('sha256')
  try {
    for (const name of readdirSync(folder).sort())
      if (names.test(name)) hash.update(`${JSON.stringify(name)} `).update(contentOf(join(folder, name)))
    return hash.digest('hex')
  } catch {
    return ''
  }
}

function contentOf(path: string): string | Buffer {
  try {
    const stats = statSync(path)
    return stats.isFile() && stats.size <= LARGE ? readFileSync(path) : stampEntry(path)
  } catch (thrown) {
    return String(thrown)
  }
}
