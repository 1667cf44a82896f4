import { closeSync, type FSWatcher, futimesSync, openSync, watch } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

/** How often the file is checked for commits of other processes when watching fails, in milliseconds. */
const LOOK = 300

/** Notifies listeners in this process when any process may have committed. One for each open file. */
export interface Wake {
  /** Called after each commit of this process; notifies listeners here and in other processes. */
  committed(): void
  /** Calls the listener after each commit until it is removed. It must not throw, and does not keep the process alive. */
  listen(listener: () => void): () => void
  /** Keeps the process alive while there are listeners, until the returned function is called. */
  hold(): () => void
  /** Returns a value that changes when another connection commits. */
  mark(): unknown
  close(): void
}

/**
 * Commits touch a file that every process with listeners watches. Where watching does not work, SQLite's
 * `data_version` is read at most four times a second, once for all listeners.
 */
export function createWake(database: DatabaseSync, path: string): Wake {
  const touch = createTouch(`${path}-wake`)
  const version = database.prepare('PRAGMA data_version')
  const listeners = new Set<() => void>()
  let watcher: FSWatcher | undefined
  let timer: NodeJS.Timeout | undefined
  let known: unknown
  let holds = 0
  let isTelling = false

  const mark = (): unknown => version.get()?.data_version
  const notify = (): void => {
    if (isTelling) return
    isTelling = true
    setImmediate(() => {
      isTelling = false
      for (const listener of [...listeners]) listener()
    })
  }
  const look = (): void => {
    let now: unknown
    try {
      now = mark()
    } catch {
      // The file cannot be read; listeners find out why.
    }
    if (now !== undefined && now === known) return
    known = now
    notify()
  }
  const start = (): void => {
    known = mark()
    timer = setInterval(look, LOOK)
    if (holds === 0) timer.unref()
    watcher = tryWatch(`${path}-wake`, look)
  }
  const stop = (): void => {
    clearInterval(timer)
    watcher?.close()
    timer = undefined
    watcher = undefined
  }
  return {
    committed() {
      if (listeners.size > 0) notify()
      touch.touch()
    },
    listen(listener) {
      if (timer === undefined) start()
      listeners.add(listener)
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop()
      }
    },
    hold() {
      if (++holds === 1) timer?.ref()
      let isHeld = true
      return () => {
        if (isHeld && --holds === 0) timer?.unref()
        isHeld = false
      }
    },
    mark,
    close() {
      stop()
      touch.close()
      for (const listener of [...listeners]) listener()
      listeners.clear()
    },
  }
}

/** Calls the listener whenever the file is touched; undefined when files cannot be watched and polling must do. */
function tryWatch(file: string, listener: () => void): FSWatcher | undefined {
  try {
    closeSync(openSync(file, 'a', 0o600))
    const watcher = watch(file, { persistent: false }, listener)
    return watcher.on('error', () => watcher.close())
  } catch {
    return undefined
  }
}

/** Touches a file that others watch, and creates it if missing. Never throws, since others also poll. */
function createTouch(file: string): { touch(): void; close(): void } {
  let descriptor: number | undefined
  let isClosed = false
  return {
    touch() {
      if (isClosed) return
      try {
        descriptor ??= openSync(file, 'a', 0o600)
        const now = Date.now() / 1000
        futimesSync(descriptor, now, now)
      } catch {
        // The next commit tries again.
      }
    },
    close() {
      isClosed = true
      if (descriptor !== undefined) closeSync(descriptor)
      descriptor = undefined
    },
  }
}
