/** The longest wait before a wrong guess is answered, and how many guesses may wait at once. */
const LONGEST = 2_000
const MAX_WAITING = 64
/** After this long without a wrong guess, the next one is answered quickly again. */
const FORGIVEN = 60_000

/** Makes guessing slow. Only wrong guesses wait; whoever has the right token never does. */
export interface SlowDown {
  /** Resolves to true when a wrong guess may be answered, to false at once where too many wait already. */
  wait(): Promise<boolean>
  /** Ends all waits. */
  stop(): void
}

/** Makes a slow-down: the wait doubles with each wrong guess, from 50 ms to two seconds. */
export function createSlowDown(): SlowDown {
  const waiting = new Map<NodeJS.Timeout, () => void>()
  let guesses = 0
  let lastAt = 0
  return {
    wait() {
      const now = performance.now()
      if (now - lastAt > FORGIVEN) guesses = 0
      lastAt = now
      const delay = Math.min(LONGEST, 25 * 2 ** Math.min(++guesses, 20))
      if (waiting.size >= MAX_WAITING) return Promise.resolve(false)
      return new Promise((resolve) => {
        const go = () => {
          clearTimeout(timer)
          waiting.delete(timer)
          resolve(true)
        }
        const timer = setTimeout(go, delay)
        waiting.set(timer, go)
      })
    },
    stop() {
      for (const go of [...waiting.values()]) go()
    },
  }
}
