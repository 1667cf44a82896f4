import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/** The parameters of the address, so that every view of a page has a link. `set` with undefined or an empty text removes one. */
export function useParams() {
  const [search, setSearch] = useSearchParams()
  const set = useCallback(
    (changes: Readonly<Record<string, string | undefined>>, { isStep = false } = {}) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before)
          for (const [name, value] of Object.entries(changes))
            if (value === undefined || value === '') next.delete(name)
            else next.set(name, value)
          return next
        },
        { replace: !isStep },
      ),
    [setSearch],
  )
  return { get: (name: string) => search.get(name) ?? undefined, set }
}
