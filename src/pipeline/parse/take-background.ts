import { BACKGROUND } from '../../core/call/background.ts'
import type { RegisteredTool } from '../../core/tool/snapshot.ts'

/** Whether a call shall run in the background, and its arguments without that wish where they had it. */
export interface Taken {
  readonly background: boolean
  readonly value: Readonly<Record<string, unknown>> | undefined
  readonly repairs: readonly string[]
}

/** Takes the wish out of arguments that have it, before the tool's schema sees them; the tool's own argument of that name stays. */
export function takeBackground(
  given: Readonly<Record<string, unknown>>,
  { takesBackground }: RegisteredTool,
): Taken | { readonly problem: string } {
  if (!takesBackground) return { background: false, value: undefined, repairs: [] }
  const { [BACKGROUND]: wish, ...rest } = given
  const value = Object.freeze(rest)
  if (typeof wish === 'boolean') return { background: wish, value, repairs: [] }
  if (wish === null) return { background: false, value, repairs: ['left out background: it was null'] }
  if (wish === 'true' || wish === 'false')
    return { background: wish === 'true', value, repairs: ['read background as boolean: it was given as text'] }
  return { problem: `background: expected boolean, got ${Array.isArray(wish) ? 'array' : typeof wish}` }
}
