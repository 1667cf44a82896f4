import type { Home } from '../../app/home.ts'
import type { Session } from '../../app/sessions/session.ts'
import type { Event } from '../../core/session/event.ts'
import type { Look } from '../look.ts'
import type { ToolFacts } from './item-rows.ts'
import { SessionFeed } from './session-feed.ts'

/** How long events are collected before they are drawn, in milliseconds: at most twenty times a second. */
const BATCH = 50
/** How many ids of events are remembered, to leave out those that come from the log a second time. */
const REMEMBERED = 2_000

interface StoreParts {
  readonly home: Home
  readonly tools: ToolFacts
  look(): Look
  /** Called with rows that no longer change. */
  print(rows: readonly string[]): void
  changed(): void
  /** Called with every event of the session and those below it, once. */
  heard(event: Event): void
}

/** The session that is shown, with the sessions of its agents, drawn from events: of this process at once, of another one from the log. */
export class SessionStore {
  readonly #parts: StoreParts
  readonly #unfollow: () => void
  readonly #seen = new Set<string>()
  #waiting: Event[] = []
  #timer: NodeJS.Timeout | undefined
  #session: Session | undefined
  #feed = new SessionFeed()
  #agents = new Map<string, SessionFeed>()
  #isRunner = false
  #reading: AbortController | undefined

  constructor(parts: StoreParts) {
    this.#parts = parts
    this.#unfollow = parts.home.on((event) => this.#hear(event))
  }

  get feed(): SessionFeed {
    return this.#feed
  }

  get agents(): readonly SessionFeed[] {
    return [...this.#agents.values()]
  }

  /** True for the session that is shown, and those of its agents. */
  owns(session: string): boolean {
    return session === this.#session?.id || this.#agents.has(session)
  }

  /** Shows a session from now on; with its events so far, as they were logged. */
  show(session: Session | undefined, events: readonly Event[] = []): void {
    this.#flush()
    this.#reading?.abort()
    this.#reading = undefined
    this.#session = session
    this.#feed = new SessionFeed()
    this.#agents = new Map()
    this.#isRunner = false
    if (events.length > 0) this.#feed.add(events)
    this.#settle()
  }

  /** Reads what another process logs for this session, until the run ends. */
  async followLog(): Promise<void> {
    const session = this.#session
    if (session === undefined || this.#reading) return
    const stopped = new AbortController()
    this.#reading = stopped
    const after = await this.#parts.home.log.end()
    try {
      for await (const { cursor: _, ...event } of session.follow({ after, signal: stopped.signal })) {
        this.#take(event as Event)
        if (event.type === 'run-end') break
      }
    } catch (thrown) {
      if (!stopped.signal.aborted) throw thrown
    } finally {
      if (this.#reading === stopped) this.#reading = undefined
    }
  }

  close(): void {
    this.#unfollow()
    this.#reading?.abort()
    clearTimeout(this.#timer)
  }

  #hear(event: Event): void {
    if (event.type === 'session-start' && event.parent !== undefined && event.parent === this.#session?.id)
      this.#agents.set(event.session, new SessionFeed())
    if (!this.owns(event.session)) return
    this.#take(event)
    if (event.type === 'run-start') this.#isRunner = true
    if (event.type === 'run-end') this.#isRunner = false
    // The process that runs the session starts the run in the same turn of the event loop as the message.
    if (event.type === 'message' && event.role === 'user' && event.session === this.#session?.id)
      setImmediate(() => {
        if (!this.#isRunner) void this.followLog()
      })
  }

  #take(event: Event): void {
    if (this.#seen.has(event.id)) return
    this.#seen.add(event.id)
    if (this.#seen.size > REMEMBERED) for (const id of this.#seen) if (this.#seen.delete(id)) break
    this.#waiting.push(event)
    this.#parts.heard(event)
    this.#timer ??= setTimeout(() => this.#flush(), BATCH)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const events = this.#waiting
    this.#waiting = []
    if (events.length === 0) return
    for (const [session, list] of Map.groupBy(events, (event) => event.session)) {
      const feed = session === this.#session?.id ? this.#feed : this.#agents.get(session)
      feed?.add(list)
    }
    this.#settle()
  }

  #settle(): void {
    const { print, tools, changed } = this.#parts
    const look = this.#parts.look()
    for (const feed of this.#agents.values()) {
      const inner = { ...look, columns: look.columns - INDENT.length }
      for (const rows of feed.settle(inner, tools))
        print(rows.filter((row) => row !== '').map((row) => `${INDENT}${row}`))
    }
    for (const rows of this.#feed.settle(look, tools)) print(rows)
    changed()
  }
}

/** What agents do stands below what the session does. */
const INDENT = '    '
