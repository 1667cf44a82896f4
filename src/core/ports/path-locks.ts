/** The right to write to some paths, over all processes of one home. */
export interface PathLock {
  /** May be called twice; never throws. */
  release(): void
}

/** Lets calls of different processes that write to one path, above or below it, wait for each other. Calls of one process are no matter of this port: its locks never exclude each other. */
export interface PathLocks {
  /** Takes the paths unless another living process holds one that meets them; undefined then. Throws UNAVAILABLE. */
  tryLock(paths: readonly string[]): PathLock | undefined
  /** Resolves when a lock that was in the way of the last `tryLock` may have been released since, or its process has ended, or the signal aborts. To be called right after `tryLock` gave undefined; what it resolves with says nothing, so try again. Rejects with UNAVAILABLE. */
  changed(signal: AbortSignal): Promise<void>
}
