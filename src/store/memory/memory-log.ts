import type { OpenRecord } from '../../core/call/call-record.ts'
import type { FollowOptions, Log } from '../../core/ports/log.ts'
import type { EventMask } from '../../core/secrets/mask-event.ts'
import type { CommittedEvent, EventBody } from '../../core/session/event.ts'
import type { OpenSession } from '../../core/session/session-record.ts'
import { callsOf, describeSessions, firstAfter, selectCalls, selectEvents, selectSessions } from './memory-queries.ts'
import { createWaiting } from './waiting.ts'

/** How many sessions without events are remembered. */
const MAX_SESSIONS = 1_000

/** A log in memory, with the operations reserved for the storage. */
export interface MemoryLog extends Log {
  /** Returns the outcome of a call; null while it runs, undefined when it is unknown. */
  outcomeOf(call: string): OpenRecord['outcome'] | undefined
  /** Removes the events of these sessions and returns the ids of their calls; records of calls with an effect stay. */
  removeSessions(sessions: ReadonlySet<string>, hadEffect: (call: string) => boolean): string[]
  close(): void
}

/** Creates a log in which every event is committed when it is appended. */
export function createMemoryLog(maxEvents: number, mask: EventMask | undefined): MemoryLog {
  let events: CommittedEvent[] = []
  let cursor = 0
  let isClosed = false
  /** What removed events said about sessions and calls. */
  let known = new Map<string, OpenSession>()
  let kept: OpenRecord[] = []
  const waiting = createWaiting()
  const writer = `e_${crypto.randomUUID().slice(0, 8)}_`
  const sessions = () => describeSessions(known, events)
  const calls = () => callsOf(events, sessions())
  const dropOldest = (): void => {
    const dropped = events.slice(0, -maxEvents)
    events = events.slice(-maxEvents)
    known = new Map([...describeSessions(known, dropped)].slice(-MAX_SESSIONS))
  }

  async function* run({ session, signal, unref }: FollowOptions, from: number) {
    let position = from
    while (!signal?.aborted && !isClosed) {
      const event = firstAfter(events, position, session)
      if (event) {
        position = event.cursor
        yield event
      } else {
        position = cursor
        await waiting.next(signal, unref === true)
      }
    }
    return undefined
  }
  return {
    append(body: EventBody) {
      const id = `${writer}${++cursor}`
      const event: CommittedEvent = { ...(mask ? mask(body) : body), id, at: Date.now(), cursor }
      events.push(event)
      if (events.length > maxEvents * 1.25) dropOldest()
      waiting.wakeAll()
      return event
    },
    flush: () => Promise.resolve(),
    problem: () => undefined,
    read: async (filter = {}) => selectEvents(events, filter),
    sessions: async (filter = {}) => selectSessions(sessions(), filter),
    calls: async (filter = {}) => selectCalls([...kept, ...calls()], filter),
    follow: (options = {}) => run(options, options.after ?? cursor),
    end: async () => cursor,
    outcomeOf: (id) => [...kept, ...calls()].findLast(({ call }) => call === id)?.outcome,
    removeSessions(gone, hadEffect) {
      const removed = calls().filter(({ session }) => gone.has(session))
      kept = [...kept, ...removed.filter(({ call }) => hadEffect(call))].slice(-maxEvents)
      events = events.filter(({ session }) => !gone.has(session))
      for (const session of gone) known.delete(session)
      return removed.map(({ call }) => call)
    },
    close() {
      isClosed = true
      events = []
      kept = []
      waiting.wakeAll()
    },
  }
}
