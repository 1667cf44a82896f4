import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Folders that nobody attaches files from. */
const SKIPPED = new Set(['.git', 'node_modules', 'dist', 'build', 'target', '__pycache__', '.venv', '.cache'])
/** The most files that are looked at, and how long a list of them is used, in milliseconds. */
const MOST = 20_000
const FRESH = 10_000

/** Finds files of a workspace by a part of their path. */
export class WorkspaceFiles {
  readonly #folder: string
  #list: Promise<readonly string[]> | undefined
  #readAt = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Returns paths that hold the text, those whose name begins with it first, then the shortest. */
  async find(part: string): Promise<readonly string[]> {
    if (this.#list === undefined || Date.now() - this.#readAt > FRESH) {
      this.#list = listFiles(this.#folder)
      this.#readAt = Date.now()
    }
    const wanted = part.toLowerCase()
    const rank = (path: string) => (path.toLowerCase().startsWith(wanted) ? 0 : nameOf(path).startsWith(wanted) ? 1 : 2)
    return (await this.#list)
      .filter((path) => path.toLowerCase().includes(wanted))
      .sort((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1))
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase()
}

/** Lists files folder by folder, so that those near the top are found in a very large workspace too. Links are not followed. */
async function listFiles(root: string): Promise<readonly string[]> {
  const found: string[] = []
  let folders = ['']
  while (folders.length > 0 && found.length < MOST) {
    const next: string[] = []
    for (const folder of folders) {
      for (const entry of await entriesOf(join(root, folder))) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`
        if (entry.isDirectory() && !SKIPPED.has(entry.name)) next.push(path)
        else if (entry.isFile()) found.push(path)
      }
      if (found.length >= MOST) break
    }
    folders = next
  }
  return found
}

/** A folder that cannot be read has no files to offer. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
