import { countIds } from '../../core/text/count-ids.ts'

/** The ids of a home's calls and sessions. */
export interface CallIds {
  /** The session of calls that do not name one. */
  readonly session: string
  next(): string
  nextSession(): string
  nextPlan(): string
}

/** Makes ids that are unique over all processes: a random part for this home, and a counter. */
export function createCallIds(): CallIds {
  const home = crypto.randomUUID().slice(0, 13).replace('-', '')
  const count = (kind: string) => countIds(`${kind}_${home}_`)
  return { session: `s_${home}`, next: count('c'), nextSession: count('s'), nextPlan: count('p') }
}
