/** Waiters for the next event. */
export interface Waiting {
  /** Resolves at the next wake-up or when the signal aborts; keeps the process alive until then unless `unref`. */
  next(signal: AbortSignal | undefined, unref: boolean): Promise<void>
  wakeAll(): void
}

/** Creates the waiters. One timer keeps the process alive for all of them. */
export function createWaiting(): Waiting {
  const waiting = new Set<() => void>()
  let holds = 0
  let alive: NodeJS.Timeout | undefined
  const hold = (): void => {
    if (++holds === 1) alive = setInterval(() => undefined, 2 ** 30)
  }
  const release = (): void => {
    if (--holds === 0) clearInterval(alive)
  }
  return {
    next: (signal, unref) =>
      new Promise((resolve) => {
        if (!unref) hold()
        const go = () => {
          waiting.delete(go)
          if (!unref) release()
          signal?.removeEventListener('abort', go)
          resolve()
        }
        waiting.add(go)
        signal?.addEventListener('abort', go, { once: true })
      }),
    wakeAll() {
      if (waiting.size > 0) for (const go of [...waiting]) go()
    },
  }
}
