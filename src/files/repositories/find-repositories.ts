import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** How many folders are searched, and how many repositories are returned. */
const MAX_FOLDERS = 10_000
const MAX_REPOSITORIES = 100

/** The repositories of a tree. */
export interface Repositories {
  /** The path of each `.git`, a folder or a file; the tree's own first. */
  readonly found: readonly string[]
  /** False when the tree was too large to search completely. */
  readonly all: boolean
}

/** Finds repositories breadth-first; follows no link and does not enter `.git`. */
export function findRepositories(root: string): Repositories {
  const found: string[] = []
  const folders = [root]
  for (let at = 0; at < folders.length; at++) {
    if (at >= MAX_FOLDERS) return { found, all: false }
    const folder = folders[at] ?? root
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name)
      if (entry.name.toLowerCase() !== '.git') {
        if (entry.isDirectory()) folders.push(path)
      } else if (found.length >= MAX_REPOSITORIES) return { found, all: false }
      else if (entry.isDirectory() || entry.isFile()) found.push(path)
    }
  }
  return { found, all: true }
}

/** Returns no entries for a folder that cannot be read; the command cannot read it either. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
