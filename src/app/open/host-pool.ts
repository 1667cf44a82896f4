import type { OpenedHost } from '../host.ts'

/** How long an unused host stays open, in milliseconds. */
const LINGER = 60_000

/** One host, from the moment it begins to open until it is closed. */
interface Entry {
  readonly workspace: string
  readonly opening: Promise<OpenedHost>
  /** Set once it is open. */
  opened?: OpenedHost
  /** How many users have opened it and not closed it. */
  users: number
  lastUsed: number
  /** True where another has taken its place: it is closed as soon as nothing runs in it. */
  isRetired: boolean
  timer?: NodeJS.Timeout | undefined
}

/** The open hosts of a home, one for each workspace. A host that nobody uses, and in which nothing runs, is closed after a while. */
export class HostPool {
  readonly #open: (workspace: string) => Promise<OpenedHost>
  readonly #linger: number
  readonly #hosts = new Map<string, Entry>()
  /** Every host that is not closed yet, with those that were replaced. */
  readonly #all = new Set<Entry>()
  readonly #closing = new Set<Promise<void>>()
  #isClosed = false

  constructor(open: (workspace: string) => Promise<OpenedHost>, linger = LINGER) {
    this.#open = open
    this.#linger = linger
  }

  /** Opens the host of a workspace, or returns the one that is open. It stays open for a while after this, and while something runs in it. */
  find(workspace: string): Promise<OpenedHost> {
    return this.#reach(workspace).opening
  }

  /** The hosts that are open, with those that were replaced and still run something. */
  opened(): readonly OpenedHost[] {
    return [...this.#all].flatMap(({ opened }) => (opened ? [opened] : []))
  }

  /** The same, and keeps it open until the returned function is called. */
  async use(workspace: string): Promise<{ readonly opened: OpenedHost; release(): void }> {
    const entry = this.#reach(workspace)
    entry.users++
    let isUsed = true
    const release = () => {
      if (!isUsed) return
      isUsed = false
      entry.users--
      entry.lastUsed = performance.now()
      this.#watchIdle(entry)
    }
    try {
      return { opened: await entry.opening, release }
    } catch (thrown) {
      release()
      throw thrown
    }
  }

  /** Makes the next use of a workspace open a new host. What runs in the old one ends there. */
  reopen(workspace: string): void {
    const entry = this.#hosts.get(workspace)
    if (entry === undefined) return
    this.#hosts.delete(workspace)
    entry.isRetired = true
    this.#watchIdle(entry)
  }

  /** Closes all hosts. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { timer } of this.#all) clearTimeout(timer)
    for (const opened of await Promise.allSettled([...this.#all].map(({ opening }) => opening)))
      if (opened.status === 'fulfilled') await opened.value.closeParts()
    await Promise.all(this.#closing)
  }

  #reach(workspace: string): Entry {
    const entry = this.#hosts.get(workspace) ?? this.#begin(workspace)
    entry.lastUsed = performance.now()
    this.#watchIdle(entry)
    return entry
  }

  #begin(workspace: string): Entry {
    const entry: Entry = { workspace, opening: this.#open(workspace), users: 0, lastUsed: 0, isRetired: false }
    this.#hosts.set(workspace, entry)
    this.#all.add(entry)
    entry.opening.then(
      (opened) => {
        entry.opened = opened
      },
      () => this.#remove(entry),
    )
    return entry
  }

  #remove(entry: Entry): void {
    clearTimeout(entry.timer)
    if (this.#hosts.get(entry.workspace) === entry) this.#hosts.delete(entry.workspace)
    this.#all.delete(entry)
  }

  /** Looks after a while whether the host is still used; one timer for each host. */
  #watchIdle(entry: Entry, after = this.#linger): void {
    if (entry.timer !== undefined || this.#isClosed) return
    entry.timer = setTimeout(() => {
      entry.timer = undefined
      this.#closeIdle(entry)
    }, after).unref()
  }

  #closeIdle(entry: Entry): void {
    const { opened, users, isRetired, lastUsed } = entry
    // The last user who leaves looks again.
    if (this.#isClosed || !this.#all.has(entry) || (users > 0 && !isRetired)) return
    const left = lastUsed + this.#linger - performance.now()
    if (opened === undefined || opened.isBusy || left > 0) {
      this.#watchIdle(entry, left > 0 ? left : this.#linger)
      return
    }
    this.#remove(entry)
    const ending = opened.closeParts().catch(() => undefined)
    this.#closing.add(ending)
    ending.then(() => this.#closing.delete(ending))
  }
}
