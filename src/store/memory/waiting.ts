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

type Type = EventBody['type']
type Waiters = Set<() => void>

/** Creates the waiters. One timer keeps the process alive for all of them. */
export function createWaiting(): Waiting {
  const forAny: Waiters = new Set()
  /** Those who wait for some types, by type: every event wakes, and mostly nobody waits for its type (gate 1c). */
  const byType = new Map<Type, Waiters>()
  const ofType = (type: Type): Waiters => {
    const known = byType.get(type) ?? new Set()
    byType.set(type, known)
    return known
  }
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
        const groups = types ? types.map(ofType) : [forAny]
        const go = () => {
          for (const group of groups) group.delete(go)
          if (!unref) release()
          signal?.removeEventListener('abort', go)
          resolve()
        }
        for (const group of groups) group.add(go)
        signal?.addEventListener('abort', go, { once: true })
      }),
    wake(type) {
      if (forAny.size > 0) wakeAll(forAny)
      if (type === undefined) for (const group of byType.values()) wakeAll(group)
      else {
        const group = byType.get(type)
        if (group !== undefined && group.size > 0) wakeAll(group)
      }
    },
  }
}

/** A waiter that is woken waits again only later, so the group does not grow meanwhile. */
function wakeAll(group: Waiters): void {
  for (const go of group) go()
}
