import type { Wake } from '../follow/wake.ts'

/** How often one of the awaited processes is checked, in milliseconds, since a killed process notifies nobody. */
const PROBE = 2_000

/** Waiters of this process for path locks of other processes. */
export interface LockWaiters {
  /** Records which process holds the lock; called inside the transaction that found it. */
  blockedBy(owner: string): void
  /** Resolves when something was committed since, a process that held a lock has ended, or the signal aborts. */
  wait(signal: AbortSignal): Promise<void>
}

/** Creates the waiters; they share one listener and one timer. */
export function createLockWaiters(wake: Wake, isDead: (owner: string) => boolean): LockWaiters {
  const waiting = new Set<() => void>()
  const blockers = new Set<string>()
  let seen: unknown
  let stop: (() => void) | undefined

  const wakeAll = (): void => {
    for (const go of [...waiting]) go()
  }
  /** Checks one process at a time, in turn. */
  const probe = (): void => {
    const [owner] = blockers
    if (owner === undefined) return
    blockers.delete(owner)
    if (isDead(owner)) wakeAll()
    else blockers.add(owner)
  }
  const start = (): void => {
    const stopListening = wake.listen(wakeAll)
    // It also keeps the process alive.
    const timer = setInterval(probe, PROBE)
    stop = () => {
      stopListening()
      clearInterval(timer)
      blockers.clear()
      stop = undefined
    }
  }
  return {
    blockedBy(owner) {
      blockers.add(owner)
      seen = wake.mark()
    },
    wait: (signal) =>
      new Promise((resolve) => {
        const go = () => {
          waiting.delete(go)
          signal.removeEventListener('abort', go)
          if (waiting.size === 0) stop?.()
          resolve()
        }
        if (!stop) start()
        waiting.add(go)
        signal.addEventListener('abort', go, { once: true })
        // A lock that was released between `tryLock` and the start of listening causes no wake-up.
        if (signal.aborted || wake.mark() !== seen) go()
      }),
  }
}
