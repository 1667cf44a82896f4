import { messageOf, ToolError } from '../core/result.ts'
import type { SessionRecord, Store } from '../core/store.ts'
import { DEFAULT_LIMIT, matchesCall, newerFirst } from './match-call.ts'
import type { Pending } from './pending.ts'
import type { LogReader } from './read-log.ts'
import type { WriteBehind } from './write-behind.ts'

/** The queries of the port: what waits is written first, and where it cannot be, it is laid over what the file says. */
export function createLogQueries(
  reader: LogReader,
  behind: WriteBehind,
): Pick<Store, 'sessions' | 'calls' | 'events' | 'tail'> {
  const unwritten = (): Pending | undefined => (behind.flush() ? undefined : behind.pending())
  return {
    sessions(limit = DEFAULT_LIMIT, prefix = '') {
      const kept = unwritten()
      const rows = reading(() => reader.sessions(limit, prefix))
      if (!kept) return rows
      return layerSessions(rows, kept)
        .filter(({ session }) => session.startsWith(prefix))
        .slice(0, limit)
    },
    calls(filter = {}) {
      const kept = unwritten()
      const rows = reading(() => reader.calls(filter))
      if (!kept) return rows
      const waiting = [...kept.calls].map(({ record }) => record).filter((record) => matchesCall(record, filter))
      const others = rows.filter(({ seq }) => !waiting.some((record) => record.seq === seq))
      return [...waiting, ...others].sort(newerFirst).slice(0, filter.limit ?? DEFAULT_LIMIT)
    },
    events(filter = {}) {
      const kept = unwritten()
      const rows = reading(() => reader.events(filter))
      if (!kept) return rows
      const { session, callSeq, after = 0, limit } = filter
      const call = [...kept.calls].find(({ record }) => record.seq === callSeq)?.record
      const waiting = [...kept.chunks.values()].flatMap(({ events }) => events)
      const wanted = waiting.filter(
        (event) =>
          event.seq > after &&
          (session === undefined || event.session === session) &&
          (callSeq === undefined || ('call' in event && event.call === call?.call && event.session === call.session)),
      )
      return [...rows, ...wanted].sort((a, b) => a.seq - b.seq).slice(0, limit)
    },
    tail(cursor) {
      behind.flush()
      return reading(() => reader.tail(cursor))
    },
  }
}

function reading<T>(query: () => T): T {
  try {
    return query()
  } catch (thrown) {
    throw new ToolError('UNAVAILABLE', `The log cannot be read: ${messageOf(thrown)}.`)
  }
}

function layerSessions(rows: readonly SessionRecord[], kept: Pending): SessionRecord[] {
  const bySession = new Map(rows.map((row) => [row.session, row]))
  for (const [session, { events, calls }] of kept.chunks) {
    const row = bySession.get(session)
    const lastAt = events.at(-1)?.at ?? 0
    const startedAt = row?.startedAt ?? events[0]?.at ?? 0
    bySession.set(session, { session, startedAt, lastAt, calls: calls + (row?.calls ?? 0) })
  }
  return [...bySession.values()].sort((a, b) => b.lastAt - a.lastAt)
}
