import { BACKGROUND } from '../../core/call/background.ts'
import type { RegisteredTool } from '../../core/tool/snapshot.ts'

/** Whether a call is to run in the background, and its arguments without `background`. */
export interface TakenBackground {
  readonly background: boolean
  readonly value: Readonly<Record<string, unknown>> | undefined
  readonly repairs: readonly string[]
}

/** Removes `background` from the arguments before the tool's schema sees them. A tool's own argument of that name stays. */
export function takeBackground(
  given: Readonly<Record<string, unknown>>,
  { takesBackground }: RegisteredTool,
): TakenBackground | { readonly problem: string } {
  if (!takesBackground) return { background: false, value: undefined, repairs: [] }
  const { [BACKGROUND]: wanted, ...rest } = given
  const value = Object.freeze(rest)
  if (typeof wanted === 'boolean') return { background: wanted, value, repairs: [] }
  if (wanted === null) return { background: false, value, repairs: ['left out background: it was null'] }
  if (wanted === 'true' || wanted === 'false')
    return { background: wanted === 'true', value, repairs: ['read background as boolean: it was given as text'] }
  return { problem: `background: expected boolean, got ${Array.isArray(wanted) ? 'array' : typeof wanted}` }
}
