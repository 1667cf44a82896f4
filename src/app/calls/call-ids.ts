/** The ids of a home's calls and sessions. */
export interface CallIds {
  /** The session of calls that do not name one. */
  readonly session: string
  next(): string
  nextSession(): string
}

/** Makes ids that are unique over all processes: a random part for this home, and a counter. */
export function createCallIds(): CallIds {
  const home = crypto.randomUUID().slice(0, 13).replace('-', '')
  let count = 0
  const next = (kind: string) => `${kind}_${home}_${(++count).toString(36).padStart(5, '0')}`
  return { session: `s_${home}`, next: () => next('c'), nextSession: () => next('s') }
}
