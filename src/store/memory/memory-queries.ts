import { applyEvent, type CallRecord, type OpenRecord, startedCall } from '../../core/call/call-record.ts'
import type { CallFilter, EventFilter, FollowOptions, MessageHit, SessionFilter } from '../../core/ports/log.ts'
import type { CommittedEvent } from '../../core/session/event.ts'
import type { OpenSession, SessionRecord } from '../../core/session/session-record.ts'
import { matchesSession } from '../describe-session.ts'
import { CallWords, findWords, SEARCH_LIMIT, searchWords } from '../find-words.ts'
import { DEFAULT_LIMIT, matchesCall, newerFirst } from '../match-call.ts'

/** Sessions by id, the most recently used last. */
export type Sessions = ReadonlyMap<string, OpenSession>

/** Returns the index of the first event with this cursor or a later one. Cursors grow by one where no session was deleted, so the first look mostly finds it (gate 1c). */
function firstIndex(events: readonly CommittedEvent[], cursor: number): number {
  const last = events.at(-1)?.cursor ?? 0
  let low = Math.max(0, events.length - 1 - (last - cursor))
  let middle = low
  for (let high = events.length; low < high; middle = (low + high) >> 1) {
    const event = events[middle]
    if (event && event.cursor >= cursor) high = middle
    else low = middle + 1
  }
  return low
}

/** Returns the first event after a cursor, of one session or of any, of some types or of all. */
export function firstAfter(
  events: readonly CommittedEvent[],
  cursor: number,
  { session, types }: Wanted,
): CommittedEvent | undefined {
  for (let at = firstIndex(events, cursor + 1); at < events.length; at++) {
    const event = events[at]
    if (!event || (session !== undefined && event.session !== session)) continue
    if (types === undefined || types.includes(event.type)) return event
  }
  return undefined
}

interface Wanted {
  readonly session: FollowOptions['session'] | undefined
  readonly types: FollowOptions['types'] | undefined
}

/** Returns the events that match the filter; none comes before the cursor `first`. */
export function selectEvents(
  events: readonly CommittedEvent[],
  { session, call, after = 0, limit }: EventFilter,
  first = 0,
): CommittedEvent[] {
  const chosen: CommittedEvent[] = []
  const from = firstIndex(events, Math.max(after + 1, first))
  for (let at = from; at < events.length && (limit === undefined || chosen.length < limit); at++) {
    const event = events[at]
    if (!event || (session !== undefined && event.session !== session)) continue
    if (call === undefined || ('call' in event && event.call === call)) chosen.push(event)
  }
  return chosen
}

/** Returns the messages that hold every word of a text, newest first. */
export function searchEvents(events: readonly CommittedEvent[], text: string, limit = SEARCH_LIMIT): MessageHit[] {
  const words = searchWords(text)
  const hits: MessageHit[] = []
  for (let at = events.length - 1; at >= 0 && hits.length < limit; at--) {
    const event = events[at]
    const hit = event && findWords(event, words)
    if (hit) hits.push(hit)
  }
  return hits
}

/** Returns the calls whose events hold every word of a text; none for a text without words. */
export function callsWith(events: readonly CommittedEvent[], text: string): ReadonlySet<string> {
  const words = searchWords(text)
  const search = new CallWords(words)
  return new Set(words.length === 0 ? [] : events.flatMap((event) => search.add(event) ?? []))
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
  if (filter.session !== undefined) {
    const one = sessions.get(filter.session)
    return one && matchesSession(one, filter) ? [one] : []
  }
  const records = [...sessions.values()].reverse().filter((record) => matchesSession(record, filter))
  return records.slice(0, filter.limit ?? DEFAULT_LIMIT)
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
