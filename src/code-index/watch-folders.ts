import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'

/** The most folders that are watched; a larger tree is listed for every query. */
const MAX_FOLDERS = 8_000

/** Tells whether anything in some folders has changed since it was asked last. */
export interface FolderWatch {
  /** Watches these folders, relative to the root, and no others. Returns false if that is not possible. */
  cover(folders: ReadonlySet<string>): boolean
  /** True if something may have changed since the last call. */
  takeChange(): boolean
  close(): void
}

/** Creates a watch that covers nothing yet. */
export function createFolderWatch(root: string): FolderWatch {
  const watchers = new Map<string, FSWatcher>()
  let hasChanged = true
  const close = () => {
    for (const watcher of watchers.values()) watcher.close()
    watchers.clear()
  }
  const begin = (folder: string): void => {
    const watcher = watch(join(root, folder), { persistent: false }, () => {
      hasChanged = true
    })
    watcher.on('error', () => {
      hasChanged = true
    })
    watchers.set(folder, watcher)
  }
  return {
    cover(folders) {
      if (folders.size > MAX_FOLDERS) return false
      try {
        for (const [folder, watcher] of watchers) {
          if (folders.has(folder)) continue
          watcher.close()
          watchers.delete(folder)
        }
        for (const folder of folders) if (!watchers.has(folder)) begin(folder)
        return true
      } catch {
        // The system watches no more folders: then each query lists the tree.
        close()
        return false
      }
    },
    takeChange() {
      const changed = hasChanged
      hasChanged = false
      return changed
    },
    close,
  }
}
