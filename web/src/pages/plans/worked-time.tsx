import { useEffect, useState } from 'react'
import { type IterationView, isUnderWay, workedOn } from '../../../../src/core/plans/plan-view.ts'
import { showTime } from '../../../../src/core/plans/show-time.ts'

/** How long sub-agents and checks have worked on these iterations; counts while one is under way. */
export function WorkedTime({ iterations }: { readonly iterations: readonly IterationView[] }) {
  const isCounting = iterations.some(isUnderWay)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    if (!isCounting) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isCounting])
  return <>{showTime(workedOn(iterations, now))}</>
}
