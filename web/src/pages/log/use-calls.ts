import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../api/api.ts'
import { useHub } from '../../api/hub.tsx'

/** Which calls are listed, as the address names them. */
export interface CallSearch {
  readonly q?: string | undefined
  readonly session?: string | undefined
  readonly tool?: string | undefined
  readonly decision?: string | undefined
  readonly outcome?: string | undefined
  readonly since?: string | undefined
}

/** How many calls are asked for at once. */
const PAGE = 500

const SPANS: Readonly<Record<string, number>> = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 }

/** Turns the filter of the address into that of the interface. */
export function filterOf({ q, session, tool, decision, outcome, since }: CallSearch) {
  const span = since === undefined ? undefined : SPANS[since]
  const decided = (['allow', 'ask', 'deny'] as const).find((one) => one === decision)
  return {
    ...(q && { q }),
    ...(session && { session }),
    ...(tool && { tool }),
    ...(decided && { decision: decided }),
    ...(outcome && { outcome }),
    ...(span !== undefined && { since: Date.now() - span }),
  }
}

/** One page of calls, before a cursor. */
export function readCalls(search: CallSearch, before?: number, limit = PAGE) {
  return api().listCalls({ ...filterOf(search), limit, ...(before !== undefined && { before }) })
}

/** The calls that match a filter, the newest first, loaded as far as the person scrolls. New ones join while the list is at its first page. */
export function useCalls(search: CallSearch) {
  const hub = useHub()
  const queries = useQueryClient()
  const [isNewer, setNewer] = useState(false)
  const key = ['calls', search.q, search.session, search.tool, search.decision, search.outcome, search.since]
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam }) => readCalls(search, pageParam),
    getNextPageParam: ({ calls }) => (calls.length < PAGE ? undefined : calls.at(-1)?.cursor),
    retry: 1,
  })
  const pages = query.data?.pages.length ?? 0
  const reload = () => {
    setNewer(false)
    return queries.resetQueries({ queryKey: ['calls'] })
  }
  const isDeep = useRef(false)
  isDeep.current = pages > 1
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer = undefined
      queries.invalidateQueries({ queryKey: ['calls'] })
    }
    const stop = hub.on(({ type }) => {
      if (!['call-start', 'call-end', 'approval-request', 'call-run'].includes(type)) return
      if (isDeep.current) setNewer(true)
      else timer ??= setTimeout(refresh, 150)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [hub, queries])
  const calls = query.data?.pages.flatMap((page) => page.calls) ?? []
  return { query, calls, isNewer, reload }
}
