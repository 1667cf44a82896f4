import type { Wake } from '../follow/wake.ts'

/** How often one of the processes that are waited for is asked whether it lives, in milliseconds: a killed one tells nobody. */
const PROBE = 2_000

/** Those in this process who wait for a path lock of another. */
export interface LockWaiters {
  /** Notes who was in the way; to be called inside the transaction that found it. */
  blockedBy(owner: string): void
  /** Resolves when something was committed since, a process that was in the way is gone, or the signal aborts. */
  wait(signal: AbortSignal): Promise<void>
}

/** One listener and one timer serve all who wait. */
export function createLockWaiters(wake: Wake, isDead: (owner: string) => boolean): LockWaiters {
  const waiting = new Set<() => void>()
  const blockers = new Set<string>()
  let seen: unknown
  let stop: (() => void) | undefined

  const wakeAll = (): void => {
    for (const go of [...waiting]) go()
  }
  /** One process a time, in turn. */
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
        // A lock that was released after `tryLock` and before this began to listen wakes nobody.
        if (signal.aborted || wake.mark() !== seen) go()
      }),
  }
}
