import type { Client, StreamedEvent } from '../../../src/client/client.ts'

/** The state of the connection to the server, as the status bar shows it. */
export type Connection = 'connecting' | 'connected' | 'lost'

type Note =
  | { readonly kind: 'event'; readonly event: StreamedEvent }
  | { readonly kind: 'connection'; readonly connection: Connection; readonly cursor: number | undefined }
  | { readonly kind: 'wants'; readonly tab: string; readonly sessions: readonly string[] }
  | { readonly kind: 'who' }

/** The name of the channel between tabs, and of the lock of the tab that reads. */
const NAME = 'haft-events'

/**
 * One event stream for all tabs of a browser, since browsers allow six connections to a server. The tab that holds a lock
 * reads and passes events on; when it closes, the next tab continues from the last cursor it has seen.
 */
export class EventHub {
  readonly #client: Client
  readonly #channel = new BroadcastChannel(NAME)
  readonly #tab = crypto.randomUUID()
  readonly #listeners = new Set<(event: StreamedEvent) => void>()
  readonly #watchers = new Set<() => void>()
  /** The sessions whose pieces of text each tab wants. */
  readonly #wants = new Map<string, readonly string[]>()
  readonly #over = new AbortController()
  #cursor: number | undefined
  #connection: Connection = 'connecting'
  #restart: AbortController | undefined

  constructor(client: Client) {
    this.#client = client
    this.#channel.onmessage = ({ data }: { readonly data: Note }) => this.#receive(data)
    this.#say({ kind: 'who' })
    const { signal } = this.#over
    navigator.locks.request(NAME, { signal }, () => this.#lead()).catch(() => undefined)
  }

  get connection(): Connection {
    return this.#connection
  }

  /** Calls the listener with every event from now on. Returns a function that stops this. */
  on(listener: (event: StreamedEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls the watcher when the connection changes. Returns a function that stops this. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Asks for the pieces of text of a session, until the returned function is called. */
  want(session: string): () => void {
    const own = () => this.#wants.get(this.#tab) ?? []
    this.#setOwn([...own(), session])
    return () => {
      const index = own().indexOf(session)
      this.#setOwn(own().filter((_, place) => place !== index))
    }
  }

  close(): void {
    this.#setOwn([])
    this.#over.abort()
    this.#channel.close()
  }

  #say(note: Note): void {
    this.#channel.postMessage(note)
  }

  #setOwn(sessions: readonly string[]): void {
    if (this.#over.signal.aborted) return
    this.#setWants(this.#tab, sessions)
    this.#say({ kind: 'wants', tab: this.#tab, sessions })
  }

  #receive(note: Note): void {
    if (note.kind === 'event') this.#take(note.event)
    else if (note.kind === 'wants') this.#setWants(note.tab, note.sessions)
    else if (note.kind === 'connection') {
      this.#cursor ??= note.cursor
      this.#setConnection(note.connection)
    } else {
      this.#say({ kind: 'wants', tab: this.#tab, sessions: this.#wants.get(this.#tab) ?? [] })
      if (this.#restart) this.#tellConnection()
    }
  }

  #take(event: StreamedEvent): void {
    if (event.cursor !== undefined) {
      if (this.#cursor !== undefined && event.cursor <= this.#cursor) return
      this.#cursor = event.cursor
    }
    for (const listener of this.#listeners) listener(event)
  }

  #setWants(tab: string, sessions: readonly string[]): void {
    const before = new Set(this.#wanted())
    this.#wants.set(tab, sessions)
    // A stream that carries more than is wanted now is no reason to connect again.
    if (this.#wanted().some((session) => !before.has(session))) this.#restart?.abort()
  }

  #wanted(): readonly string[] {
    return [...new Set([...this.#wants.values()].flat())]
  }

  #setConnection(connection: Connection): void {
    if (connection === this.#connection) return
    this.#connection = connection
    for (const watcher of this.#watchers) watcher()
  }

  #tellConnection(): void {
    this.#say({ kind: 'connection', connection: this.#connection, cursor: this.#cursor })
  }

  /** Reads events for all tabs until this one closes. */
  async #lead(): Promise<void> {
    while (!this.#over.signal.aborted) {
      const restart = new AbortController()
      this.#restart = restart
      const events = this.#client.events({
        sessions: this.#wanted(),
        ...(this.#cursor !== undefined && { after: this.#cursor }),
        signal: AbortSignal.any([restart.signal, this.#over.signal]),
        onState: (state) => {
          this.#setConnection(state === 'lost' ? 'lost' : 'connected')
          this.#tellConnection()
        },
      })
      try {
        for await (const event of events) {
          this.#take(event)
          this.#say({ kind: 'event', event })
        }
      } catch {
        // The server refuses this page: its token no longer counts.
        this.#setConnection('lost')
        return this.#tellConnection()
      }
    }
  }
}
