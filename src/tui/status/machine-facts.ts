import type { Home } from '../../app/home.ts'
import type { Host } from '../../app/host.ts'

/** What the status bar tells of the machine, learned while the person already types. */
export class MachineFacts {
  readonly #home: Home
  readonly #host: Host
  readonly #changed: () => void
  readonly #limits = new Map<string, number>()
  readonly #asked = new Set<string>()
  #hasSandbox: boolean | undefined

  constructor(home: Home, host: Host, changed: () => void) {
    this.#home = home
    this.#host = host
    this.#changed = changed
  }

  /** Whether commands run in the sandbox; undefined until that is known. */
  get hasSandbox(): boolean | undefined {
    return this.#hasSandbox
  }

  /** Tries the sandbox. */
  async examine(): Promise<void> {
    const findings = await this.#host.examineSandbox()
    this.#hasSandbox = findings.every(({ holds }) => holds)
    this.#changed()
  }

  /** The most tokens that a model takes; undefined until that is known. */
  contextOf(model: string | undefined): number | undefined {
    if (model !== undefined && !this.#asked.has(model)) void this.#ask(model)
    return model === undefined ? undefined : this.#limits.get(model)
  }

  async #ask(model: string): Promise<void> {
    this.#asked.add(model)
    const listed = await this.#home.models.list().catch(() => [])
    for (const { name, abilities } of listed)
      if (abilities.context !== undefined) this.#limits.set(name, abilities.context)
    this.#changed()
  }
}
