import type { Leases } from '../../core/ports/leases.ts'

/** How often it is checked that a process which runs an awaited session lives, in milliseconds: a killed one writes no event. */
const PROBE = 1_000

interface Watched {
  readonly session: string
  readonly leases: Leases
  gone(): void
}

/** The sessions of this process's waiters. One timer checks one of them at a time, in turn, so that many waiters cost no more queries than one. */
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
  const [next] = watched
  if (next === undefined) return
  // Behind all others, until its turn comes again.
  watched.delete(next)
  watched.add(next)
  const isHeld = await next.leases.isHeld(next.session).catch(() => true)
  if (!isHeld && watched.has(next)) next.gone()
}
