import type { ServerResponse } from 'node:http'
import type { CommittedEvent, Event } from '../../core/session/event.ts'
import { isDelta } from '../../core/session/event.ts'
import { beginStream } from '../request/send.ts'

/** What a reader follows. */
export interface StreamOptions {
  /** One session; every session when left out. */
  readonly session: string | undefined
  /** The sessions whose pieces of text are sent, where every session is followed. */
  readonly detailed: ReadonlySet<string>
  /** The cursor that it begins after. */
  readonly after: number
}

type LoggedEvent = Event & { readonly cursor?: number }

/** What readers get events from. */
export interface EventSource {
  /** Reads a page of the log after a cursor, for a reader that is behind. */
  readPage(options: Pick<StreamOptions, 'session'>, after: number): Promise<readonly LoggedEvent[]>
  /** The cursor of the last event that was passed to readers. */
  level(): number
}

/** How many bytes may wait for a reader before it is read from the log again, at its own speed. */
const MAX_WAITING = 256_000

/** The text of one event on the wire. Events that are not committed have no id. */
export function frameOf(event: LoggedEvent): string {
  const id = event.cursor === undefined ? '' : `id: ${event.cursor}\n`
  return `${id}data: ${JSON.stringify(event)}\n\n`
}

const HEARTBEAT = ': still here\n\n'
const STOP = 'event: stop\ndata: {}\n\n'

/** One reader of events. While it keeps up, events are passed on as they come; a slow one gets nothing more until its connection has drained, then it is read from the log where it left off. So nothing is queued for it, and nothing is lost. */
export class EventStream {
  readonly options: StreamOptions
  readonly #outgoing: ServerResponse
  readonly #source: EventSource
  #position: number
  #isLive = false
  #isReading = false
  #hasCaughtUp = false
  /** Bytes that were waiting at the last heartbeat. */
  #stuck = 0

  constructor(outgoing: ServerResponse, options: StreamOptions, source: EventSource) {
    this.options = options
    this.#outgoing = outgoing
    this.#source = source
    this.#position = options.after
    beginStream(outgoing)
    outgoing.write('retry: 1000\n\n')
    outgoing.on('drain', () => this.catchUp())
  }

  /** True if it wants pieces of text of a session. */
  wantsDeltas(session: string): boolean {
    return this.options.session === session || this.options.detailed.has(session)
  }

  #wants(event: Event): boolean {
    const { session } = this.options
    if (session !== undefined && session !== event.session) return false
    return session !== undefined || !isDelta(event) || this.options.detailed.has(event.session)
  }

  /** Passes on an event that was committed, if the reader keeps up. `frame` is its text, made once for all readers. */
  committed(event: CommittedEvent, frame: () => string): void {
    if (!this.#isLive || event.cursor <= this.#position) return
    this.#position = event.cursor
    if (this.#wants(event)) this.#write(frame())
  }

  /** Passes on a piece of text that is not committed yet. One that is missed comes from the log later. */
  piece(frame: string): void {
    if (this.#isLive) this.#write(frame)
  }

  #write(text: string): void {
    this.#outgoing.write(text)
    if (this.#outgoing.writableLength > MAX_WAITING) this.#isLive = false
  }

  /** Reads from the log what the reader has not had, page by page as it takes them, until it is level with the followers. Never rejects. */
  async catchUp(): Promise<void> {
    if (this.#isLive || this.#isReading) return
    this.#isReading = true
    try {
      while (!this.#outgoing.destroyed && !this.#outgoing.writableNeedDrain) {
        const level = this.#source.level()
        const page = await this.#source.readPage(this.options, this.#position)
        this.#sendPage(page)
        // What was passed to the others meanwhile may be missing in the page.
        if (page.length > 0 || this.#source.level() !== level) continue
        this.#goLive()
        break
      }
    } catch {
      // The log cannot be read: the reader comes back and tries again.
      this.#outgoing.destroy()
    } finally {
      this.#isReading = false
    }
  }

  #sendPage(page: readonly LoggedEvent[]): void {
    let text = ''
    for (const event of page) {
      if (event.cursor === undefined) continue
      this.#position = Math.max(this.#position, event.cursor)
      if (this.#wants(event)) text += frameOf(event)
    }
    if (text !== '') this.#outgoing.write(text)
  }

  #goLive(): void {
    this.#isLive = true
    if (this.#hasCaughtUp) return
    this.#hasCaughtUp = true
    // With an id, so that a reader that has had no event yet goes on from here when it comes back.
    this.#outgoing.write(`id: ${this.#position}\nevent: caught-up\ndata: {}\n\n`)
  }

  /** Shows the reader that the connection works. Drops one that has taken nothing since the last time; it resumes where it left off. */
  heartbeat(): void {
    const waiting = this.#outgoing.writableLength
    if (waiting > 0 && waiting === this.#stuck) this.#outgoing.destroy()
    else if (waiting === 0) this.#outgoing.write(HEARTBEAT)
    this.#stuck = waiting
  }

  /** Tells the reader that the server ends. */
  stop(): void {
    this.#outgoing.end(STOP)
  }
}
