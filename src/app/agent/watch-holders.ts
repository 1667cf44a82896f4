import type { Leases } from '../../core/ports/leases.ts'

/** How often it is checked that a process which runs an awaited session lives, in milliseconds: a killed one writes no event. */
const PROBE = 1_000

interface Watched {
  readonly session: string
  readonly leases: Leases
  gone(): void
}

/** The sessions of this process's waiters. One timer checks all of them with one query a home, so that many waiters cost no more queries than one. */
const watched = new Set<Watched>()
let timer: ReturnType<typeof setInterval> | undefined

/** Calls `gone` once no living process runs a session any more. Returns a function that stops this. */
export function watchHolder(watch: Watched): () => void {
  watched.add(watch)
  timer ??= setInterval(probe, PROBE)
  return () => {
    watched.delete(watch)
    if (watched.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

async function probe(): Promise<void> {
  for (const [leases, waiters] of Map.groupBy(watched, (one) => one.leases)) {
    // If the storage cannot be read, the next check finds out.
    const holders = await leases.holders(waiters.map(({ session }) => session)).catch(() => undefined)
    if (holders === undefined) continue
    for (const one of waiters) if (holders.get(one.session) !== 'alive' && watched.has(one)) one.gone()
  }
}
