import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import type { StreamedEvent } from '../../../src/client/client.ts'
import { api } from './api.ts'
import { type Connection, EventHub } from './events.ts'

const HubContext = createContext<EventHub | undefined>(undefined)

/** Which lists an event makes out of date. */
function listsOf({ type }: StreamedEvent): readonly string[] {
  if (type.startsWith('approval-')) return ['approvals', 'sessions', 'grants']
  if (type.startsWith('input-')) return ['inputs', 'sessions']
  if (type.startsWith('plan-') || type.startsWith('job-')) return ['plans', 'sessions']
  if (type.startsWith('task-')) return ['tasks']
  if (type.startsWith('session-') || type.startsWith('run-')) return ['sessions']
  if (type === 'tools-changed') return ['tools']
  if (type.startsWith('delegate-')) return ['delegates']
  if (type === 'call-end') return ['log', 'undo', 'grants']
  return []
}

/** Gives the page its event stream, and reloads lists that events make out of date. */
export function HubProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient()
  const [hub, setHub] = useState<EventHub>()
  useEffect(() => {
    const made = new EventHub(api())
    const stale = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer = undefined
      for (const list of stale) queries.invalidateQueries({ queryKey: [list] })
      stale.clear()
    }
    made.on((event) => {
      for (const list of listsOf(event)) stale.add(list)
      if (stale.size > 0) timer ??= setTimeout(refresh, 60)
    })
    // What happened while there was no connection is not known: everything is asked for again.
    made.watch(() => made.connection === 'connected' && queries.invalidateQueries())
    setHub(made)
    return () => {
      clearTimeout(timer)
      made.close()
    }
  }, [queries])
  return hub ? <HubContext.Provider value={hub}>{children}</HubContext.Provider> : null
}

export function useHub(): EventHub {
  const hub = useContext(HubContext)
  if (hub === undefined) throw new Error('useHub is used outside HubProvider')
  return hub
}

/** The state of the connection to the server. */
export function useConnection(): Connection {
  const hub = useHub()
  return useSyncExternalStore(
    (changed) => hub.watch(changed),
    () => hub.connection,
  )
}
