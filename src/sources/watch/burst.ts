/** How long it is quiet before a burst of changes counts as over, in milliseconds. */
const QUIET = 25

/** How long a burst may keep its listener waiting, in milliseconds. */
const LONGEST = 500

/** Gathers changes that follow one another closely. */
export interface Burst {
  add(): void
  close(): void
}

/** Calls the listener once it is quiet after a change, and every half second while it is not. */
export function createBurst(listener: () => void): Burst {
  let timer: NodeJS.Timeout | undefined
  let since = 0
  const fire = (): void => {
    timer = undefined
    listener()
  }
  return {
    add() {
      const now = performance.now()
      if (timer === undefined) since = now
      clearTimeout(timer)
      timer = setTimeout(fire, Math.max(0, Math.min(QUIET, since + LONGEST - now))).unref()
    },
    close: () => clearTimeout(timer),
  }
}
