import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** How many folders are looked into, and how many repositories are told. */
const MAX_FOLDERS = 10_000
const MAX_REPOSITORIES = 100

/** The repositories of a tree. */
export interface Repositories {
  /** The path of each `.git`, a folder or a file; the tree's own first. */
  readonly found: readonly string[]
  /** False where the tree is larger than what was looked through. */
  readonly all: boolean
}

/** Looks for repositories, folder by folder, the upper ones first; follows no link and looks into no `.git`. */
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

/** A folder that we may not look into, the command may not either. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
