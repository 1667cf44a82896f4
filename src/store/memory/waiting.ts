import type { FollowOptions } from '../../core/ports/log.ts'
import type { EventBody } from '../../core/session/event.ts'

/** What a waiter waits for. */
interface WaitOptions {
  /** The types of events that wake it; undefined for all. */
  readonly types: FollowOptions['types'] | undefined
  readonly signal: AbortSignal | undefined
  /** True if waiting does not keep the process alive. */
  readonly unref: boolean
}

/** Waiters for the next event. */
export interface Waiting {
  /** Resolves at the next wake-up or when the signal aborts. */
  next(options: WaitOptions): Promise<void>
  /** Wakes those who wait for events of a type; everybody when left out. */
  wake(type?: EventBody['type']): void
}

/** Creates the waiters. One timer keeps the process alive for all of them. */
export function createWaiting(): Waiting {
  const waiting = new Map<() => void, WaitOptions['types']>()
  let holds = 0
  let alive: NodeJS.Timeout | undefined
  const hold = (): void => {
    if (++holds === 1) alive = setInterval(() => undefined, 2 ** 30)
  }
  const release = (): void => {
    if (--holds === 0) clearInterval(alive)
  }
  return {
    next: ({ types, signal, unref }) =>
      new Promise((resolve) => {
        if (!unref) hold()
        const go = () => {
          waiting.delete(go)
          if (!unref) release()
          signal?.removeEventListener('abort', go)
          resolve()
        }
        waiting.set(go, types)
        signal?.addEventListener('abort', go, { once: true })
      }),
    wake(type) {
      if (waiting.size === 0) return
      // A waiter that is woken waits again only later, so the list does not grow meanwhile.
      for (const [go, types] of waiting) if (!types || !type || types.includes(type)) go()
    },
  }
}
