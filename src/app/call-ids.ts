/** The ids of a home's calls and sessions. */
export interface CallIds {
  /** The session of calls that name none. */
  readonly session: string
  next(): string
  nextSession(): string
}

/** Makes ids that no other process makes: a random part of this home's, and a count. */
export function createCallIds(): CallIds {
  const mine = crypto.randomUUID().slice(0, 13).replace('-', '')
  let count = 0
  const next = (kind: string) => `${kind}_${mine}_${(++count).toString(36).padStart(5, '0')}`
  return { session: `s_${mine}`, next: () => next('c'), nextSession: () => next('s') }
}
