import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '../core/call/result.ts'
import { stampEntry } from './watch/stamp-folder.ts'

/** Larger files are compared by time and size only, in bytes. */
const LARGE = 5_000_000

/** An entry of a folder. */
export interface FolderEntry {
  readonly path: string
  readonly name: string
  /** Its bytes; where it is no file, is large or cannot be read, a text that differs when it does. */
  readonly content: Buffer | string
  /** Why a file has no bytes here. */
  readonly problem?: string
}

/** Reads the entries of a folder that the pattern fits, in the order of their names. Undefined where there is no such folder. */
export function readEntries(folder: string, names: RegExp): readonly FolderEntry[] | undefined {
  try {
    const fitting = readdirSync(folder).filter((name) => names.test(name))
    return fitting.sort().map((name) => ({ name, path: join(folder, name), ...readContent(join(folder, name)) }))
  } catch {
    return undefined
  }
}

/** Returns a digest for each file that is no helper: of it, and of the helpers beside it, which it may import. */
export function digestFiles(
  entries: readonly FolderEntry[],
  isHelper: (entry: FolderEntry) => boolean,
): ReadonlyMap<string, string> {
  const helpers = digestEntries(entries.filter(isHelper))
  const files = entries.filter((entry) => !isHelper(entry))
  return new Map(
    files.map(({ path, content }) => [path, createHash('sha256').update(content).update(helpers).digest('hex')]),
  )
}

/** A digest of the names and contents of entries; of times it depends only for what cannot be read. */
export function digestEntries(entries: readonly FolderEntry[]): string {
  const hash = createHash('sha256')
  for (const { name, content } of entries) hash.update(`${JSON.stringify(name)} `).update(content)
  return hash.digest('hex')
}

function readContent(path: string): Pick<FolderEntry, 'content' | 'problem'> {
  try {
    const stats = statSync(path)
    if (!stats.isFile()) return { content: stampEntry(path) }
    if (stats.size <= LARGE) return { content: readFileSync(path) }
    return { content: stampEntry(path), problem: `it is larger than ${LARGE / 1_000_000} MB` }
  } catch (thrown) {
    return { content: String(thrown), problem: `it cannot be read: ${reasonOf(thrown)}` }
  }
}
