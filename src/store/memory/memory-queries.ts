import { applyEvent, type CallRecord, type OpenRecord, startedCall } from '../../core/call/call-record.ts'
import type { CallFilter, EventFilter, SessionFilter } from '../../core/ports/log.ts'
import type { CommittedEvent } from '../../core/session/event.ts'
import type { OpenSession, SessionRecord } from '../../core/session/session-record.ts'
import { matchesSession } from '../describe-session.ts'
import { DEFAULT_LIMIT, matchesCall, newerFirst } from '../match-call.ts'

/** Sessions by id, the most recently used last. */
export type Sessions = ReadonlyMap<string, OpenSession>

/** Returns the index of the first event that fits; all after it fit too. */
function firstIndex(events: readonly CommittedEvent[], fits: (event: CommittedEvent) => boolean): number {
  let low = 0
  for (let high = events.length; low < high; ) {
    const middle = (low + high) >> 1
    const event = events[middle]
    if (event && fits(event)) high = middle
    else low = middle + 1
  }
  return low
}

/** Returns the first event after a cursor, of one session or of any. */
export function firstAfter(
  events: readonly CommittedEvent[],
  cursor: number,
  session: string | undefined,
): CommittedEvent | undefined {
  let low = firstIndex(events, (event) => event.cursor > cursor)
  if (session !== undefined) while (low < events.length && events[low]?.session !== session) low++
  return events[low]
}

/** Returns the events that match the filter; none is older than `startedAt`. */
export function selectEvents(
  events: readonly CommittedEvent[],
  { session, call, after = 0, limit }: EventFilter,
  startedAt = 0,
): CommittedEvent[] {
  const chosen = events
    .slice(firstIndex(events, ({ cursor, at }) => cursor > after && at >= startedAt))
    .filter(
      (event) =>
        (session === undefined || event.session === session) &&
        (call === undefined || ('call' in event && event.call === call)),
    )
  return chosen.slice(0, limit)
}

/** Returns the calls that match the filter, newest first. */
export function selectCalls(records: readonly CallRecord[], filter: CallFilter): CallRecord[] {
  return records
    .filter((record) => matchesCall(record, filter))
    .sort(newerFirst)
    .slice(0, filter.limit ?? DEFAULT_LIMIT)
}

/** Returns the sessions that match the filter, the most recently used first. */
export function selectSessions(sessions: Sessions, filter: SessionFilter): SessionRecord[] {
  const found = [...sessions.values()].reverse().filter((record) => matchesSession(record, filter))
  return found.slice(0, filter.limit ?? DEFAULT_LIMIT)
}

/** Builds the call records from events. */
export function callsOf(events: readonly CommittedEvent[], sessions: Sessions): OpenRecord[] {
  const records = new Map<string, OpenRecord>()
  for (const event of events) {
    if (!('call' in event)) continue
    const known = records.get(event.call)
    if (event.type === 'call-start') {
      const { workspace = null, parent = null } = sessions.get(event.session) ?? {}
      records.set(event.call, { ...startedCall(event), cursor: event.cursor, workspace, parent })
    } else if (known) applyEvent(known, event)
  }
  return [...records.values()]
}
