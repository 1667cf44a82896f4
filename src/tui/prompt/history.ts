import type { Home } from '../../app/home.ts'

/** How many sessions of the workspace are looked through, and how many of their first events. */
const SESSIONS = 30
const EVENTS = 400

/** The messages that were sent in a workspace, the newest first. */
export class History {
  readonly #home: Home
  readonly #workspace: string
  #texts: string[] | undefined
  #at = -1
  #draft = ''

  constructor(home: Home, workspace: string) {
    this.#home = home
    this.#workspace = workspace
  }

  /** Adds a message that was just sent. */
  add(text: string): void {
    this.#at = -1
    this.#texts = this.#texts && [text, ...this.#texts.filter((one) => one !== text)]
  }

  /** Returns all of them. */
  async all(): Promise<readonly string[]> {
    this.#texts ??= await this.#read()
    return this.#texts
  }

  /** Returns the message before (1) or after (-1) the one that is shown; the draft after the newest. Undefined where there is none. */
  async step(direction: 1 | -1, shown: string): Promise<string | undefined> {
    const texts = await this.all()
    if (this.#at === -1) this.#draft = shown
    const at = this.#at + direction
    if (at < -1 || at >= texts.length) return undefined
    this.#at = at
    return at === -1 ? this.#draft : texts[at]
  }

  async #read(): Promise<string[]> {
    const { log } = this.#home
    const texts = new Set<string>()
    for (const { session, parent } of await log.sessions({ workspace: this.#workspace, limit: SESSIONS })) {
      if (parent !== null) continue
      const events = await log.read({ session, limit: EVENTS })
      for (const event of events.toReversed())
        if (event.type === 'message' && event.role === 'user' && !event.isNotice) texts.add(event.content)
    }
    return [...texts]
  }
}
