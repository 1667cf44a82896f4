import { createParser } from 'eventsource-parser'
import { ROUTES } from '../core/api/routes.ts'
import type { Event } from '../core/session/event.ts'
import { HaftError, pathOf, type SendRequest } from './request.ts'

/** An event as it arrives. Pieces of text may come before they are committed; then they have no cursor. */
export type StreamedEvent = Event & { readonly cursor?: number }

/** What became of the connection: it is open, everything that had happened before has arrived, or it is lost and tried again. */
export type StreamState = 'open' | 'caught-up' | 'lost'

/** Which events to follow. */
export interface FollowClientOptions {
  /** One session; all of them when left out. */
  readonly session?: string
  /** Where all sessions are followed: those whose pieces of text come too. */
  readonly sessions?: readonly string[]
  /** Begins after this cursor. */
  readonly after?: number
  /** Ends the loop. */
  readonly signal?: AbortSignal
  /** Called when the connection is open, has caught up or is lost. */
  onState?(state: StreamState): void
}

/** The first and the longest pause before the next try, in milliseconds. */
const FIRST_PAUSE = 200
const LONGEST_PAUSE = 5_000

/** Follows events over as many connections as it takes. */
export async function* followEvents(
  options: FollowClientOptions,
  request: SendRequest,
): AsyncGenerator<StreamedEvent, undefined> {
  const { signal, onState } = options
  const seen = new SeenEvents(options.after)
  let pause = FIRST_PAUSE
  while (!signal?.aborted) {
    try {
      for await (const item of connect(options, seen.cursor, request)) {
        pause = FIRST_PAUSE
        if (!('type' in item)) {
          seen.reach(item.cursor)
          onState?.(item.state)
        } else {
          const event = seen.take(item)
          if (event) yield event
        }
      }
    } catch (thrown) {
      if (signal?.aborted) return undefined
      if (thrown instanceof HaftError && thrown.status < 500 && thrown.status !== 429) throw thrown
    }
    if (signal?.aborted) return undefined
    onState?.('lost')
    await wait(pause * (0.5 + Math.random()), signal)
    pause = Math.min(pause * 2, LONGEST_PAUSE)
  }
  return undefined
}

/** What is told of a connection, with the cursor that the reader has reached. */
interface Arrival {
  readonly state: 'open' | 'caught-up'
  readonly cursor?: number
}

/** One connection: its events, and `caught-up` among them. Ends with the connection. */
async function* connect(
  { session, sessions, signal }: FollowClientOptions,
  after: number | undefined,
  request: SendRequest,
): AsyncGenerator<StreamedEvent | Arrival> {
  const path =
    session === undefined
      ? pathOf(ROUTES.followAll, sessions?.length ? { sessions: sessions.join(',') } : {})
      : pathOf(ROUTES.followSession, { id: session })
  const response = await request(path, {
    headers: { Accept: 'text/event-stream', ...(after !== undefined && { 'Last-Event-ID': String(after) }) },
    ...(signal && { signal }),
  })
  yield { state: 'open' }
  const arrived: (StreamedEvent | Arrival)[] = []
  const parser = createParser({
    onEvent({ event, data, id }) {
      if (event === 'caught-up') arrived.push({ state: 'caught-up', ...(id && { cursor: Number(id) }) })
      else if (event === undefined) arrived.push(JSON.parse(data))
    },
  })
  const decoder = new TextDecoder()
  // Not `for await`: not every browser can loop over a stream.
  const reader = response.body?.getReader()
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      parser.feed(decoder.decode(read.value, { stream: true }))
      yield* arrived.splice(0)
    }
  } finally {
    reader?.cancel().catch(() => undefined)
  }
}

/** What a reader has had: the last cursor, and how far each unfinished stream of text has come. */
class SeenEvents {
  cursor: number | undefined
  readonly #streams = new Map<string, number>()

  constructor(after: number | undefined) {
    this.cursor = after
  }

  /** Everything up to a cursor has been had. */
  reach(cursor: number | undefined): void {
    if (cursor !== undefined && cursor > (this.cursor ?? -1)) this.cursor = cursor
  }

  /** Returns an event, or what is new in it; undefined for one that came before. */
  take(event: StreamedEvent): StreamedEvent | undefined {
    if (event.cursor !== undefined) {
      if (event.cursor <= (this.cursor ?? -1)) return undefined
      this.cursor = event.cursor
    }
    if (event.type === 'message-delta' || event.type === 'call-delta') return this.#takePiece(event)
    if (event.type === 'message') this.#forget(`${event.session} `)
    if (event.type === 'call-end') this.#streams.delete(`${event.session} ${event.call}`)
    return event
  }

  #takePiece(event: Extract<StreamedEvent, { type: 'message-delta' | 'call-delta' }>): StreamedEvent | undefined {
    const key =
      event.type === 'call-delta'
        ? `${event.session} ${event.call}`
        : `${event.session} message ${event.reasoning === true}`
    const had = this.#streams.get(key) ?? 0
    const end = event.offset + event.text.length
    if (end <= had) return undefined
    this.#streams.set(key, end)
    if (event.offset >= had) return event
    return { ...event, text: event.text.slice(had - event.offset), offset: had }
  }

  /** Forgets the streams of messages of a session: the next message begins at 0 again. */
  #forget(start: string): void {
    for (const isReasoning of [true, false]) this.#streams.delete(`${start}message ${isReasoning}`)
  }
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', go)
      resolve()
    }
    const timer = setTimeout(go, milliseconds)
    signal?.addEventListener('abort', go, { once: true })
  })
}
