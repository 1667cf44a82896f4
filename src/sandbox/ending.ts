import type { RunEnding } from '../core/ports/sandbox.ts'

/** Why a run was ended. The first reason counts. */
export interface Ending {
  readonly reason: RunEnding | undefined
  end(reason: RunEnding): void
  /** Removes the timers and listeners. */
  release(): void
}

/** Ends a run when its signal aborts or its time is up; `kill` is called once, for the first reason. */
export function watchEnding(signal: AbortSignal, seconds: number, kill: () => void): Ending {
  let reason: RunEnding | undefined
  const end = (why: RunEnding) => {
    if (reason !== undefined) return
    reason = why
    kill()
  }
  const onAbort = () => end('cancelled')
  const timer = setTimeout(() => end('timeout'), seconds * 1000)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  return {
    get reason() {
      return reason
    },
    end,
    release() {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    },
  }
}
