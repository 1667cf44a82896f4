import { useEffect, useState } from 'react'

/** How long ago something was, or with `isAhead` how long it is until then; counts by itself. */
export function TimeSince({ at, isAhead = false }: { readonly at: number; readonly isAhead?: boolean }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return <span>{shownSpan(isAhead ? at - now : now - at)}</span>
}

/** A span of time in one unit: `42 s`, `9 min`, `3 h`, `2 d`. */
export function shownSpan(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`
  return seconds < 86_400 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`
}
