import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'

interface Props<Row> {
  readonly label: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** The height of a row before it is measured, in pixels. */
  readonly sizeOf: (row: Row) => number
  readonly draw: (row: Row) => ReactNode
  /** The row to keep in view. */
  readonly current?: string | undefined
  /** Called when the end of the list comes near. */
  readonly onEnd?: (() => void) | undefined
}

/** A list of any length that scrolls by itself: only the rows near the view are in the page. */
export function Rows<Row>({ label, rows, keyOf, sizeOf, draw, current, onEnd }: Props<Row>) {
  const scroller = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => {
      const row = rows[index]
      return row === undefined ? 40 : sizeOf(row)
    },
    getItemKey: (index) => {
      const row = rows[index]
      return row === undefined ? index : keyOf(row)
    },
    overscan: 10,
  })
  const shown = list.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 20) onEnd?.()
  }, [last, rows.length, onEnd])
  const place = current === undefined ? -1 : rows.findIndex((row) => keyOf(row) === current)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another row is chosen, not when the list is drawn again
  useEffect(() => {
    if (place >= 0) list.scrollToIndex(place, { align: 'auto' })
  }, [current, place >= 0])
  return (
    <div className="rows-scroll" ref={scroller}>
      <ul aria-label={label} style={{ height: list.getTotalSize(), position: 'relative' }}>
        {shown.map(({ key, index, start }) => {
          const row = rows[index]
          return (
            <li
              key={key}
              data-index={index}
              ref={list.measureElement}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className="row-at"
              style={{ transform: `translateY(${start}px)` }}
            >
              {row !== undefined && draw(row)}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
