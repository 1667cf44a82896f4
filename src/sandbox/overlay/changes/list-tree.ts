import { type BigIntStats, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { look, modeOf } from './entries.ts'

/** What a workspace held when a run began. */
export interface TreeListing {
  /** Returns what identified a path then: inode, size and time of a file, inode and mode of a folder; undefined when nothing was there. */
  factsOf(path: string): string | undefined
  /** Returns the names that a folder held. */
  namesIn(folder: string): Iterable<string>
}

/** Lists a tree without following links. A folder that we may not read is listed without its contents. */
export function listTree(root: string): TreeListing {
  const folders = new Map<string, Map<string, string>>()
  const queue = ['']
  for (const folder of queue) {
    const names = new Map<string, string>()
    folders.set(folder, names)
    for (const name of namesOf(join(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`
      const stats = look(root, path)
      if (stats === undefined) continue
      names.set(name, factsOf(stats))
      if (stats.isDirectory()) queue.push(path)
    }
  }
  return {
    factsOf(path) {
      const slash = path.lastIndexOf('/')
      return folders.get(path.slice(0, Math.max(0, slash)))?.get(path.slice(slash + 1))
    },
    namesIn: (folder) => folders.get(folder)?.keys() ?? [],
  }
}

/** Returns what identifies an entry; the time of a folder changes with its contents, so it does not count. */
export function factsOf(stats: BigIntStats): string {
  return stats.isDirectory() ? `folder ${stats.ino} ${modeOf(stats)}` : `${stats.ino} ${stats.size} ${stats.ctimeNs}`
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
