import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { SessionItem } from '../../../src/core/session/session-view.ts'
import { useKeys } from '../keys/use-keys.ts'
import { useFollow } from './use-follow.ts'

interface Props {
  readonly items: readonly SessionItem[]
  readonly draw: (item: SessionItem) => ReactNode
  /** What stands below the last item: approval cards, the state of the run. */
  readonly end: ReactNode
  /** How often the person has answered or sent something: what comes next is shown. */
  readonly acts: number
}

/** The list of a session. Only rows near the view are in the page; it follows its end unless the person scrolled up. */
export function Transcript({ items, draw, end, acts }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const { follow, toEnd, isAway } = useFollow(scroller, acts)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (items[index]?.kind === 'message' ? 80 : 34),
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 12,
  })
  const height = rows.getTotalSize()
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls again whenever the height or what is below has changed
  useLayoutEffect(follow, [height, items, end])
  useKeys(true, { '.': toEnd })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="body transcript" ref={scroller} tabIndex={0} aria-label="Transcript">
      <div className="tr">
        <div style={{ height, position: 'relative' }}>
          {rows.getVirtualItems().map(({ key, index, start }) => {
            const item = items[index]
            return (
              <div
                key={key}
                data-index={index}
                ref={rows.measureElement}
                style={{ position: 'absolute', top: 0, left: 0, width: '100%', transform: `translateY(${start}px)` }}
              >
                {item && draw(item)}
              </div>
            )
          })}
        </div>
        {end}
      </div>
      {isAway && (
        <button type="button" className="btn to-end" onClick={toEnd}>
          <ArrowDown className="i s" strokeWidth={1.75} aria-hidden="true" /> To the end <kbd>.</kbd>
        </button>
      )}
    </section>
  )
}
