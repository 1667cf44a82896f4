import { useEffect, useRef, useState } from 'react'
import type { StreamedEvent } from '../../../src/client/client.ts'
import { drawSession } from '../../../src/core/session/draw-session.ts'
import type { SessionView } from '../../../src/core/session/session-view.ts'
import { api } from '../api/api.ts'
import { useHub } from '../api/hub.tsx'

/** A session as it is now: its events so far, then what happens live. */
export interface LoadedSession {
  readonly view: SessionView | undefined
  readonly error: Error | undefined
}

const PAGE = 5_000

/** Loads a session and keeps it up to date. Events that arrive while it loads are added afterwards, each once. */
export function useSessionView(session: string): LoadedSession {
  const hub = useHub()
  const [loaded, setLoaded] = useState<LoadedSession>({ view: undefined, error: undefined })
  const pending = useRef<StreamedEvent[]>([])
  useEffect(() => {
    let isOver = false
    let view: SessionView | undefined
    let cursor = 0
    let frame = 0
    pending.current = []
    setLoaded({ view: undefined, error: undefined })
    const draw = () => {
      frame = 0
      if (view === undefined || isOver) return
      const fresh = pending.current.filter((event) => event.cursor === undefined || event.cursor > cursor)
      pending.current = []
      if (fresh.length === 0) return
      cursor = Math.max(cursor, ...fresh.map((event) => event.cursor ?? 0))
      view = drawSession(fresh, view)
      setLoaded({ view, error: undefined })
    }
    const stop = hub.on((event) => {
      if (event.session !== session) return
      pending.current.push(event)
      // Drawn at most once a frame: a tool may print faster than a screen shows.
      if (view !== undefined && frame === 0) frame = requestAnimationFrame(draw)
    })
    const release = hub.want(session)
    const load = async () => {
      let soFar: SessionView | undefined
      for (;;) {
        const { events } = await api().listEvents({ session, after: cursor, limit: PAGE })
        if (isOver) return
        soFar = drawSession(events, soFar)
        cursor = events.at(-1)?.cursor ?? cursor
        if (events.length < PAGE) break
      }
      view = soFar
      setLoaded({ view, error: undefined })
      draw()
    }
    load().catch((thrown: unknown) => {
      if (!isOver) setLoaded({ view, error: thrown instanceof Error ? thrown : new Error(String(thrown)) })
    })
    return () => {
      isOver = true
      stop()
      release()
      if (frame !== 0) cancelAnimationFrame(frame)
    }
  }, [hub, session])
  return loaded
}
