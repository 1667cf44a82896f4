import { type RefObject, useEffect, useState } from 'react'
import { quietSince } from '../keys/use-keys.ts'

/** How long Approve does nothing after the card appears or its content changes, in milliseconds. */
const INERT = 400

/** How long no key may have been pressed before one can answer a new card: whoever types does not look at it. In milliseconds. */
const QUIET = 700

/** True for a moment after what is shown has changed, and on while keys are being pressed, so that a key or click meant for something else approves nothing. */
export function useInert(shown: string): boolean {
  const [active, setActive] = useState<string>()
  useEffect(() => {
    setActive(undefined)
    let timer: ReturnType<typeof setTimeout>
    const wait = (least: number) => {
      const left = Math.max(least, QUIET - quietSince())
      if (left <= 0) setActive(shown)
      else timer = setTimeout(wait, left, 0)
    }
    wait(INERT)
    return () => clearTimeout(timer)
  }, [shown])
  return active !== shown
}

/** After which changes of what is in sight of an element it is looked at again, as parts of its size. */
const STEPS = Array.from({ length: 21 }, (_, index) => index / 20)

/** True while an element is wholly in sight, or fills what its scroller shows where it is taller than that. */
export function useInSight(element: RefObject<HTMLElement | null>): boolean {
  const [isInSight, setInSight] = useState(false)
  useEffect(() => {
    const { current } = element
    if (current === null) return
    const look: IntersectionObserverCallback = ([entry]) => {
      const height = scrollerOf(current)?.clientHeight ?? innerHeight
      const most = Math.min(current.offsetHeight, height)
      setInSight(entry !== undefined && entry.intersectionRect.height >= most * 0.9)
    }
    const observer = new IntersectionObserver(look, { threshold: STEPS })
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return isInSight
}

/** Returns which contents of a card have been in sight from its top to its end, without a gap. What is folded, or under the buttons, has not. `content` names what it shows now; undefined where that is less than the request. */
export function useSeen(card: RefObject<HTMLElement | null>, content: string | undefined): ReadonlySet<string> {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const { current } = card
    const foot = current?.querySelector('.foot')
    if (!current || !foot || content === undefined) return
    /** How much of the card has been in sight, from its top, in pixels. */
    let reach = 0
    const look = () => {
      const { top, height } = current.getBoundingClientRect()
      // On a phone, the card beside a list is not shown.
      if (height === 0) return
      const buttons = foot.getBoundingClientRect()
      const pane = scrollerOf(current)?.getBoundingClientRect()
      const folded = current.querySelector('[data-folded]')?.getBoundingClientRect()
      const bottom = Math.min(buttons.top, pane?.bottom ?? innerHeight, folded?.top ?? Number.POSITIVE_INFINITY)
      if ((pane?.top ?? 0) - top <= reach + 1) reach = Math.max(reach, bottom - top)
      // A border and parts of pixels are not missed.
      if (reach >= height - buttons.height - 3)
        setSeen((before) => (before.has(content) ? before : new Set(before).add(content)))
    }
    const sizes = new ResizeObserver(look)
    sizes.observe(current)
    const sight = new IntersectionObserver(look, { threshold: STEPS })
    sight.observe(current)
    document.addEventListener('scroll', look, { capture: true, passive: true })
    return () => {
      sizes.disconnect()
      sight.disconnect()
      document.removeEventListener('scroll', look, { capture: true })
    }
  }, [card, content])
  return seen
}

/** Scrolls a card one page on towards its end, opens what is folded once that is reached, or begins at its sentence where that was passed unseen. */
export function readOn(card: HTMLElement): void {
  const scroller = scrollerOf(card)
  if (scroller === null) return
  const pane = scroller.getBoundingClientRect()
  const place = card.getBoundingClientRect()
  const foot = card.querySelector('.foot')?.getBoundingClientRect().top ?? pane.bottom
  const folded = card.querySelector<HTMLElement>('[data-folded]')
  if (place.top > pane.bottom - 200) card.scrollIntoView({ block: 'start' })
  else if (folded && folded.getBoundingClientRect().top < foot) folded.click()
  else if (place.bottom <= pane.bottom + 8) card.scrollIntoView({ block: 'start' })
  else scroller.scrollBy({ top: Math.min(Math.max(80, foot - pane.top - 40), place.bottom - pane.bottom + 8) })
}

/** Returns what scrolls around an element, if anything does. */
function scrollerOf(element: HTMLElement): HTMLElement | null {
  let scroller = element.parentElement
  while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY)) scroller = scroller.parentElement
  return scroller
}
