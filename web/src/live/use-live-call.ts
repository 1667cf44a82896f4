import { useEffect, useState } from 'react'
import type { StreamedEvent } from '../../../src/client/client.ts'
import { drawSession } from '../../../src/core/session/draw-session.ts'
import type { CallItem, SessionView } from '../../../src/core/session/session-view.ts'
import { api } from '../api/api.ts'
import { useHub } from '../api/hub.tsx'

/** A call as it is now. */
export interface LiveCall {
  readonly item: CallItem | undefined
  readonly error: Error | undefined
}

/** Loads the events of a call and follows it while it runs; pieces of output come at once. */
export function useLiveCall(call: string, session: string | undefined): LiveCall {
  const hub = useHub()
  const [live, setLive] = useState<LiveCall>({ item: undefined, error: undefined })
  useEffect(() => {
    let isOver = false
    let view: SessionView | undefined
    let cursor = 0
    let frame = 0
    let waiting: StreamedEvent[] = []
    setLive({ item: undefined, error: undefined })
    const show = () => {
      frame = 0
      if (view === undefined || isOver) return
      const fresh = waiting.filter((event) => event.cursor === undefined || event.cursor > cursor)
      waiting = []
      cursor = Math.max(cursor, ...fresh.map((event) => event.cursor ?? 0))
      view = drawSession(fresh, view)
      setLive({ item: view.items.find((item) => item.kind === 'call'), error: undefined })
    }
    const stop = hub.on((event) => {
      if (!('call' in event) || event.call !== call) return
      waiting.push(event)
      if (view !== undefined && frame === 0) frame = requestAnimationFrame(show)
    })
    const release = session === undefined ? undefined : hub.want(session)
    api()
      .listEvents({ call, limit: 10_000 })
      .then(({ events }) => {
        view = drawSession(events)
        cursor = events.at(-1)?.cursor ?? 0
        show()
      })
      .catch((thrown: unknown) => {
        if (!isOver) setLive({ item: undefined, error: thrown instanceof Error ? thrown : new Error(String(thrown)) })
      })
    return () => {
      isOver = true
      stop()
      release?.()
      if (frame !== 0) cancelAnimationFrame(frame)
    }
  }, [hub, call, session])
  return live
}
