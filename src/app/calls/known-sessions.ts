/** How many sessions are remembered at least. */
const MAX_SESSIONS = 10_000

/** The sessions that are known to have begun, the last used ones: a server that runs for months must not remember all. */
export class KnownSessions {
  readonly #known = new Set<string>()

  has(session: string): boolean {
    return this.#known.has(session)
  }

  add(session: string): void {
    this.#known.delete(session)
    this.#known.add(session)
    if (this.#known.size > MAX_SESSIONS * 1.25) this.#forgetOldest()
  }

  /** Forgets many at once: looking for the first entry of a Set passes all that were removed before it. */
  #forgetOldest(): void {
    for (const session of this.#known) {
      if (this.#known.size <= MAX_SESSIONS) return
      this.#known.delete(session)
    }
  }
}
