import type { RefObject } from 'react'
import { useKeys } from '../keys/use-keys.ts'

interface Options {
  /** The ids of the rows that can be chosen, in order. */
  readonly ids: readonly string[]
  readonly current: string | undefined
  readonly choose: (id: string) => void
  readonly close?: (() => void) | undefined
  readonly filter?: RefObject<HTMLInputElement | null> | undefined
}

/** The keys of a list: J and K go to the next and the previous row, / to the filter, Escape closes the details. */
export function useListKeys({ ids, current, choose, close, filter }: Options): void {
  const step = (by: number) => {
    const place = current === undefined ? -1 : ids.indexOf(current)
    const next = place === -1 ? ids[by > 0 ? 0 : ids.length - 1] : ids[place + by]
    if (next === undefined) return false
    choose(next)
    return true
  }
  useKeys(true, {
    j: () => step(1),
    k: () => step(-1),
    '/': filter && (() => filter.current?.focus()),
    escape: close && current !== undefined ? close : undefined,
  })
}
