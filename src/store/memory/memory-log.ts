import type { OpenRecord } from '../../core/call/call-record.ts'
import type { FollowOptions, Log } from '../../core/ports/log.ts'
import type { EventMask } from '../../core/secrets/mask-event.ts'
import type { CommittedEvent, EventBody } from '../../core/session/event.ts'
import { countIds } from '../../core/text/count-ids.ts'
import {
  callsOf,
  callsWith,
  firstAfter,
  searchEvents,
  selectCalls,
  selectEvents,
  selectSessions,
} from './memory-queries.ts'
import { createMemorySessions } from './memory-sessions.ts'
import { createWaiting } from './waiting.ts'

/** A log in memory, with what only its own storage may do. */
export interface MemoryLog extends Log {
  append(body: EventBody): CommittedEvent
  /** Returns the outcome of a call; null while it runs, undefined when it is unknown. */
  outcomeOf(call: string): OpenRecord['outcome'] | undefined
  /** Removes the events of these sessions and returns the ids of their calls; records of calls with an effect stay. */
  removeSessions(sessions: ReadonlySet<string>, hadEffect: (call: string) => boolean): string[]
  close(): void
}

/** Makes an event of a body that nobody changes any more. Its members are added to the body itself: copying objects of a dozen shapes took a fifth of a step of the agent's loop (gate 1c). A body that is an event already is copied. */
function stamp(body: EventBody, id: string, cursor: number): CommittedEvent {
  const known = isEvent(body) ? { ...body } : body
  const event = known as { -readonly [Member in keyof CommittedEvent]: CommittedEvent[Member] }
  event.id = id
  event.at = Date.now()
  event.cursor = cursor
  return known as CommittedEvent
}

/** Reads the member, since asking for it with `in` is several times slower where objects have a dozen shapes (gate 1c). */
function isEvent(body: EventBody & { readonly id?: string }): boolean {
  return body.id !== undefined
}

/** Creates a log in which every event is committed when it is appended. */
export function createMemoryLog(maxEvents: number, mask: EventMask | undefined): MemoryLog {
  let events: CommittedEvent[] = []
  let cursor = 0
  let isClosed = false
  /** Calls that had an effect, of sessions that were deleted. */
  let kept: OpenRecord[] = []
  const waiting = createWaiting()
  const nextId = countIds(`e_${crypto.randomUUID().slice(0, 8)}_`)
  const sessions = createMemorySessions()
  const calls = () => callsOf(events, sessions.all)

  async function* run({ session, types, signal, unref }: FollowOptions, from: number) {
    let position = from
    while (!signal?.aborted && !isClosed) {
      const event = firstAfter(events, position, { session, types })
      if (event) {
        position = event.cursor
        yield event
      } else {
        position = cursor
        await waiting.next({ types, signal, unref: unref === true })
      }
    }
    return undefined
  }
  return {
    append(body: EventBody) {
      const { type } = body
      const event = stamp(mask ? mask(body) : body, nextId(), ++cursor)
      events.push(event)
      // With splice, which moves memory: copyWithin reads the events one by one, a tenth of the time of a call (gate 1b).
      if (events.length > maxEvents * 1.25) events.splice(0, events.length - maxEvents)
      // Reading members of events of many shapes is dear (gate 1b), and these say nothing new of a session.
      if (type !== 'call-judged' && type !== 'call-run') sessions.add(event)
      waiting.wake(type)
      return event
    },
    flush: () => Promise.resolve(),
    problem: () => undefined,
    read: async (filter = {}) => selectEvents(events, filter, sessions.firstOf(filter.session)),
    sessions: async (filter = {}) => selectSessions(sessions.all, filter),
    search: async (text, limit) => searchEvents(events, text, limit),
    calls: async (filter = {}) => selectCalls([...kept, ...calls()], filter),
    async searchCalls(text, filter = {}) {
      const found = callsWith(events, text)
      return selectCalls(
        calls().filter(({ call }) => found.has(call)),
        filter,
      )
    },
    async countRules(since) {
      const counts = new Map<string, number>()
      for (const { rule, at } of calls())
        if (rule !== null && at >= since) counts.set(rule, (counts.get(rule) ?? 0) + 1)
      return counts
    },
    follow: (options = {}) => run(options, options.after ?? cursor),
    end: async () => cursor,
    outcomeOf: (id) => [...kept, ...calls()].findLast(({ call }) => call === id)?.outcome,
    removeSessions(gone, hadEffect) {
      const removed = calls().filter(({ session }) => gone.has(session))
      kept = [...kept, ...removed.filter(({ call }) => hadEffect(call))].slice(-maxEvents)
      events = events.filter(({ session }) => !gone.has(session))
      for (const session of gone) sessions.remove(session)
      return removed.map(({ call }) => call)
    },
    close() {
      isClosed = true
      events = []
      kept = []
      waiting.wake()
    },
  }
}
