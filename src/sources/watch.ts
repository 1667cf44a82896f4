import { type FSWatcher, watch as nodeWatch, readlinkSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { insidePath } from '../core/text/paths.ts'
import { createBurst } from './watch/burst.ts'
import { stampFolder } from './watch/stamp-folder.ts'

/** A folder that is being watched. */
export interface FolderWatch {
  close(): void
}

/** The part of `fs.watch` that is used. */
export type WatchPath = (
  path: string,
  options: { readonly persistent: false },
  listener: (event: string, name: string | null) => void,
) => Pick<FSWatcher, 'close' | 'on'>

/** How often a folder is looked at where the system cannot watch it, in milliseconds. */
const LOOK_EVERY = 500

/**
 * Calls the listener after the folder's entries changed: at once for a single change, and at least once a second while changes go on.
 * The folder need not exist; it may be removed and made again, and it may be a link. Where the system cannot watch it, its entries are
 * compared every 500 ms. Never throws and never keeps the process alive.
 */
export function watchFolder(folder: string, onChange: () => void, watch: WatchPath = nodeWatch): FolderWatch {
  return new Watching(resolve(folder), onChange, watch)
}

interface Watched {
  /** Device, inode and time of birth: a folder that was made again under the same name is another one. */
  readonly identity: string
  readonly watcher: Pick<FSWatcher, 'close' | 'on'>
}

class Watching implements FolderWatch {
  readonly #folder: string
  readonly #watch: WatchPath
  readonly #burst: ReturnType<typeof createBurst>
  readonly #watched = new Map<string, Watched>()
  #poll: NodeJS.Timeout | undefined
  #identity: string | undefined
  #isClosed = false

  constructor(folder: string, onChange: () => void, watch: WatchPath) {
    this.#folder = folder
    this.#watch = watch
    this.#burst = createBurst(onChange)
    this.#identity = identify(folder)
    this.#follow()
  }

  close(): void {
    this.#isClosed = true
    this.#burst.close()
    clearInterval(this.#poll)
    this.#closeWatchers()
  }

  /** Watches the folder and what says that another one took its place. Tried again while the path changes under it. */
  #follow(): void {
    try {
      let isSettled = false
      for (let tries = 0; tries < 5 && !isSettled; tries++) isSettled = this.#watchAll(listToWatch(this.#folder))
      const identity = identify(this.#folder)
      if (identity !== this.#identity) this.#burst.add()
      this.#identity = identity
    } catch {
      this.#lookInstead()
    }
  }

  /** True where these very folders are watched already. */
  #watchAll(paths: readonly string[]): boolean {
    let isSettled = true
    for (const path of this.#watched.keys()) {
      if (!paths.includes(path)) this.#unwatch(path)
    }
    for (const path of paths) {
      const identity = identify(path)
      if (identity !== undefined && this.#watched.get(path)?.identity === identity) continue
      isSettled = false
      this.#unwatch(path)
      if (identity !== undefined) this.#watched.set(path, { identity, watcher: this.#open(path) })
    }
    return isSettled
  }

  #open(path: string): Watched['watcher'] {
    const isFolder = path === this.#folder
    const self = basename(path)
    const names = [self, ...namesBelow(path, listTargets(this.#folder))]
    const watcher = this.#watch(path, { persistent: false }, (event, name) => {
      if (this.#isClosed) return
      if (isFolder) this.#burst.add()
      // A watched folder that was moved or removed names itself. A new one may have its inode, and is not watched yet.
      if (event === 'rename' && name === self) this.#unwatch(path)
      if (name === null || names.includes(name)) this.#follow()
    })
    watcher.on('error', () => this.#lookInstead())
    return watcher
  }

  #unwatch(path: string): void {
    this.#watched.get(path)?.watcher.close()
    this.#watched.delete(path)
  }

  #closeWatchers(): void {
    for (const path of [...this.#watched.keys()]) this.#unwatch(path)
  }

  /** Compares the folder's entries again and again, from here on. */
  #lookInstead(): void {
    if (this.#isClosed || this.#poll) return
    this.#closeWatchers()
    let before = stampFolder(this.#folder)
    this.#burst.add()
    this.#poll = setInterval(() => {
      const now = stampFolder(this.#folder)
      if (now !== before) this.#burst.add()
      before = now
    }, LOOK_EVERY)
    this.#poll.unref()
  }
}

/** The folder, where it exists, and the nearest existing folder above it and above what it links to. */
function listToWatch(folder: string): string[] {
  const own = identify(folder) === undefined ? [] : [folder]
  return [...new Set([...own, ...listTargets(folder).map((target) => findParent(target))])]
}

/** The folder's path, and the path that it links to where it is a link. */
function listTargets(folder: string): string[] {
  try {
    return [folder, resolve(dirname(folder), readlinkSync(folder))]
  } catch {
    return [folder]
  }
}

/** Where each of these paths goes on below a folder. */
function namesBelow(folder: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) => insidePath(folder, path)?.split('/')[0] ?? [])
}

function findParent(path: string): string {
  const parent = dirname(path)
  return parent === path || identify(parent) !== undefined ? parent : findParent(parent)
}

/** Undefined where there is no such folder. */
function identify(folder: string): string | undefined {
  const stats: Stats | undefined = statFolder(folder)
  return stats?.isDirectory() ? `${stats.dev}:${stats.ino}:${stats.birthtimeMs}` : undefined
}

function statFolder(folder: string): Stats | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false })
  } catch {
    // A part of the path is a file, or may not be looked into: nothing is there for us.
    return undefined
  }
}
