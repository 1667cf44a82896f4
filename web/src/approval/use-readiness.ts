import { type RefObject, useEffect, useState } from 'react'

/** How long Approve does nothing after the card appears or its content changes, in milliseconds. */
const INERT = 400

/** True for a moment after what is shown has changed, so that a key or click meant for something else approves nothing. */
export function useInert(shown: string): boolean {
  const [active, setActive] = useState<string>()
  useEffect(() => {
    setActive(undefined)
    const timer = setTimeout(() => setActive(shown), INERT)
    return () => clearTimeout(timer)
  }, [shown])
  return active !== shown
}

/** True while an element is wholly in sight, or fills what its scroller shows where it is taller than that. */
export function useInSight(element: RefObject<HTMLElement | null>): boolean {
  const [isInSight, setInSight] = useState(false)
  useEffect(() => {
    const { current } = element
    if (current === null) return
    const look: IntersectionObserverCallback = ([entry]) => {
      const { height } = current.closest('.body, .pane')?.getBoundingClientRect() ?? { height: innerHeight }
      const most = Math.min(current.offsetHeight, height)
      setInSight(entry !== undefined && entry.intersectionRect.height >= most * 0.9)
    }
    const steps = Array.from({ length: 21 }, (_, index) => index / 20)
    const observer = new IntersectionObserver(look, { threshold: steps })
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return isInSight
}
