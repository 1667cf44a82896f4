import type { ServerResponse } from 'node:http'
import type { Home } from '../../app/home.ts'
import type { CommittedEvent, Event } from '../../core/session/event.ts'
import { isDelta } from '../../core/session/event.ts'
import { type EventSource, EventStream, frameOf, type StreamOptions } from './event-stream.ts'

/** How often readers are shown that the connection works, in milliseconds. */
const HEARTBEAT = 15_000
/** How many events are read from the log at once for a reader that is behind. */
const PAGE = 256

/** The readers of a server. One follower of the log serves them all. */
export interface Streams {
  /** Adds a reader until its connection ends. */
  add(outgoing: ServerResponse, options: StreamOptions): void
  /** True if a page that shows a session, or all sessions, is open. */
  isWatched(session: string): boolean
  readonly size: number
  /** Tells every reader that the server ends. */
  stop(): void
}

/** Starts to follow the log of a home. */
export function createStreams(home: Pick<Home, 'log' | 'on'>, heartbeat = HEARTBEAT): Streams {
  const readers = new Set<EventStream>()
  const over = new AbortController()
  const pieces = createPieces(readers)
  const stopListening = home.on((event) => {
    if (readers.size > 0) pieces.heard(event)
  })
  let level = 0
  const source: EventSource = {
    readPage: ({ session }, after) => home.log.read({ after, limit: PAGE, ...(session !== undefined && { session }) }),
    level: () => level,
  }
  followLog(home, over.signal, (event) => {
    level = event.cursor
    const frame = keepFrame(event)
    for (const reader of readers) reader.committed(event, frame)
    pieces.committed(event)
  })
  const timer = setInterval(() => {
    for (const reader of readers) reader.heartbeat()
  }, heartbeat).unref()
  return {
    add(outgoing, options) {
      const reader = new EventStream(outgoing, options, source)
      readers.add(reader)
      outgoing.once('close', () => readers.delete(reader))
      reader.catchUp()
    },
    isWatched: (session) =>
      [...readers].some(({ options }) => options.session === undefined || options.session === session),
    get size() {
      return readers.size
    },
    stop() {
      clearInterval(timer)
      stopListening()
      over.abort()
      for (const reader of readers) reader.stop()
    },
  }
}

/** Makes the text of an event at its first use. */
function keepFrame(event: CommittedEvent): () => string {
  let frame: string | undefined
  return () => {
    frame ??= frameOf(event)
    return frame
  }
}

/** How long to wait before the log is followed again when it cannot be read, in milliseconds. */
const AGAIN = 1_000

/** Calls the listener with every event that any process commits, from now on until the signal aborts. */
async function followLog(
  { log }: Pick<Home, 'log'>,
  signal: AbortSignal,
  listener: (event: CommittedEvent) => void,
): Promise<void> {
  let after: number | undefined
  while (!signal.aborted) {
    try {
      after ??= await log.end()
      for await (const event of log.follow({ after, signal, unref: true })) {
        after = event.cursor
        listener(event)
      }
    } catch {
      await new Promise((resolve) => setTimeout(resolve, AGAIN).unref())
    }
  }
}

/** Pieces of text that this process makes. They are sent at once, except while an earlier event of their session waits to be committed: a piece must not come before the event that begins its stream. */
interface Pieces {
  /** Called with every event of this process, before it is committed. */
  heard(event: Event): void
  committed(event: CommittedEvent): void
}

/** How many events of a session may wait to be committed. */
const MAX_HELD = 10_000

interface Held {
  /** Events of the session that are not committed yet. */
  readonly waiting: Set<string>
  pieces: string[]
}

function createPieces(readers: ReadonlySet<EventStream>): Pieces {
  const held = new Map<string, Held>()
  const pass = (session: string, frame: string): void => {
    for (const reader of readers) if (reader.wantsDeltas(session)) reader.piece(frame)
  }
  return {
    heard(event) {
      const { session } = event
      const before = held.get(session)
      if (!isDelta(event)) {
        // A log that cannot be written commits nothing: pieces are then sent as they come.
        if (before && before.waiting.size > MAX_HELD) return void held.delete(session)
        const mine = before ?? { waiting: new Set(), pieces: [] }
        mine.waiting.add(event.id)
        // Pieces before this event are committed before it or with it, and come from the log in their order.
        mine.pieces = []
        held.set(session, mine)
      } else if (before) before.pieces.push(frameOf(event))
      else pass(session, frameOf(event))
    },
    committed({ session, id }) {
      const mine = held.get(session)
      if (!mine?.waiting.delete(id) || mine.waiting.size > 0) return
      held.delete(session)
      for (const frame of mine.pieces) pass(session, frame)
    },
  }
}
