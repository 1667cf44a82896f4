/** The right to write to some paths, among all processes of one home. */
export interface PathLock {
  /** May be called twice; never throws. */
  release(): void
}

/** Makes calls of different processes wait for each other if they write to the same path or to one above or below it. Locks of the same process never exclude each other. */
export interface PathLocks {
  /** Locks the paths, or resolves to undefined if another living process holds a conflicting lock. Rejects with UNAVAILABLE. */
  tryLock(paths: readonly string[]): Promise<PathLock | undefined>
  /** Resolves when a lock that conflicted with the last `tryLock` may have been released, its process has ended, or the signal aborts. Call it right after `tryLock` resolved to undefined, then call `tryLock` again. Rejects with UNAVAILABLE. */
  changed(signal: AbortSignal): Promise<void>
}
