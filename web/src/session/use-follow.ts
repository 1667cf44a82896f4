import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** How near to its place the list counts as being there, in pixels. */
const NEAR = 80

/** How long after a key or click what grows counts as opened by the person, in milliseconds. */
const HAND = 600

/**
 * Keeps a list at its end while it grows, unless the person scrolled up or opened something in it: nothing moves under the hand.
 * A card that is taller than the list is followed to its top, so that its sentence is read first; its buttons stay in sight.
 * After an answer or a message, which `acts` counts, it is followed again, wherever the person was.
 */
export function useFollow(scroller: RefObject<HTMLElement | null>, acts: number) {
  const follows = useRef(true)
  const handledAt = useRef(Number.NEGATIVE_INFINITY)
  const [isAway, setAway] = useState(false)
  const toEnd = useCallback(() => {
    const { current } = scroller
    if (current) current.scrollTop = current.scrollHeight
  }, [scroller])
  const note = useCallback(() => {
    const { current } = scroller
    if (!current) return
    follows.current = Math.abs(current.scrollTop - placeOf(current)) < NEAR
    setAway(!follows.current && endOf(current) - current.scrollTop >= NEAR)
  }, [scroller])
  const follow = useCallback(() => {
    const { current } = scroller
    if (!current) return
    if (!follows.current || performance.now() - handledAt.current < HAND) return note()
    const place = placeOf(current)
    if (Math.abs(current.scrollTop - place) > 1) current.scrollTop = place
  }, [scroller, note])
  useEffect(() => {
    const { current } = scroller
    if (!current) return
    const handle = ({ target }: Event) => {
      if (target instanceof Element && target.closest('.comp') === null) handledAt.current = performance.now()
    }
    const sizes = new ResizeObserver(follow)
    for (const element of [current, ...current.children]) sizes.observe(element)
    current.addEventListener('scroll', note, { passive: true })
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, handle, { capture: true, passive: true })
    return () => {
      sizes.disconnect()
      current.removeEventListener('scroll', note)
      for (const type of ['pointerdown', 'keydown']) removeEventListener(type, handle, { capture: true })
    }
  }, [scroller, follow, note])
  useEffect(() => {
    if (acts === 0) return
    follows.current = true
    handledAt.current = Number.NEGATIVE_INFINITY
  }, [acts])
  return { follow, toEnd, isAway }
}

function endOf({ scrollHeight, clientHeight }: HTMLElement): number {
  return scrollHeight - clientHeight
}

/** Where following leads: the end, or the top of the first card where it does not fit. */
function placeOf(list: HTMLElement): number {
  const card = list.querySelector('[data-approval]')
  if (card === null) return endOf(list)
  const top = card.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop
  return Math.max(0, Math.min(endOf(list), top - 12))
}
