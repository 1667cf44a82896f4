import { applyEvent, type OpenRecord, startedCall } from '../core/call-record.ts'
import type { Event, EventBody } from '../core/event.ts'
import type { EventMask } from '../core/mask-event.ts'
import type { CallFilter, ChangedFilter, EventFilter, KeptReplaced, SessionRecord, Store } from '../core/store.ts'
import { DEFAULT_LIMIT, matchesCall, newerFirst } from './match-call.ts'
import { createMemoryApprovals } from './memory-approvals.ts'
import { createMemoryUndo } from './memory-undo.ts'
import { cutLines } from './read-output.ts'

interface MemoryOptions {
  /** How many events are kept; the oldest go first. */
  maxEvents?: number
  /** How many characters of whole outputs are kept; the oldest go first. */
  maxOutput?: number
  /** Bytes of what changes replaced that are kept; the oldest calls go first. */
  maxReplaced?: number
  mask?: EventMask
}

/** A store that forgets when the process ends, and its oldest entries when it is full. */
export function createMemoryStore(options: MemoryOptions = {}): Store {
  const { maxEvents = 2_000, maxOutput = 64_000_000, maxReplaced = 256_000_000, mask } = options
  let events: Event[] = []
  let seq = 0
  const outputs = createOutputs(maxOutput)
  const replaced = createReplacedFiles(maxReplaced)
  const calls = (filter: CallFilter = {}) =>
    recordsOf(events)
      .filter((record) => matchesCall(record, filter))
      .sort(newerFirst)
      .slice(0, filter.limit ?? DEFAULT_LIMIT)
  return {
    append(body: EventBody): Event {
      const event: Event = { ...(mask ? mask(body) : body), seq: ++seq, at: Date.now() }
      events.push(event)
      if (events.length > maxEvents * 1.25) events = events.slice(-maxEvents)
      return event
    },
    begin: () => Promise.resolve(),
    commit: () => Promise.resolve(),
    trouble: () => undefined,
    sessions: (limit = DEFAULT_LIMIT, prefix = '') =>
      sessionsOf(events)
        .filter(({ session }) => session.startsWith(prefix))
        .slice(0, limit),
    calls,
    events: (filter = {}) => selectEvents(events, filter),
    tail: (cursor) => ({ events: cursor < 0 ? [] : events.filter((event) => event.seq > cursor), cursor: seq }),
    ...createMemoryApprovals(),
    ...createMemoryUndo(calls),
    ...outputs,
    keepReplaced: replaced.keep,
    replacedBy: replaced.by,
    changedCalls: ({ session, workspace, limit = DEFAULT_LIMIT }: ChangedFilter = {}) =>
      calls({ ...(session !== undefined && { session }), limit: Number.MAX_SAFE_INTEGER })
        .filter(({ call }) => replaced.by(call).some((record) => (workspace ?? record.workspace) === record.workspace))
        .slice(0, limit),
    close() {
      events = []
      replaced.clear()
    },
  }
}

function selectEvents(events: readonly Event[], { session, callSeq, after = 0, limit }: EventFilter): Event[] {
  const call = callSeq === undefined ? undefined : recordsOf(events).find((record) => record.seq === callSeq)
  if (callSeq !== undefined && !call) return []
  const chosen = events.filter(
    (event) =>
      event.seq > after &&
      (session === undefined || event.session === session) &&
      (!call ||
        (event.seq >= call.seq && 'call' in event && event.call === call.call && event.session === call.session)),
  )
  const end = call ? chosen.findIndex((event) => event.type === 'call-end') + 1 : 0
  return (end > 0 ? chosen.slice(0, end) : chosen).slice(0, limit)
}

function recordsOf(events: readonly Event[]): OpenRecord[] {
  const records: OpenRecord[] = []
  const live = new Map<string, OpenRecord>()
  for (const event of events) {
    if (!('call' in event)) continue
    const key = `${event.session}\n${event.call}`
    if (event.type === 'call-start') {
      const record = startedCall(event)
      records.push(record)
      live.set(key, record)
    } else {
      const record = live.get(key)
      if (record) applyEvent(record, event)
    }
  }
  return records
}

function sessionsOf(events: readonly Event[]): SessionRecord[] {
  const sessions = new Map<string, SessionRecord>()
  for (const { session, at, type } of events) {
    const { startedAt = at, calls = 0 } = sessions.get(session) ?? {}
    sessions.delete(session)
    sessions.set(session, { session, startedAt, lastAt: at, calls: calls + (type === 'call-start' ? 1 : 0) })
  }
  return [...sessions.values()].reverse()
}

function createOutputs(limit: number): Pick<Store, 'keepOutput' | 'read'> {
  const outputs = new Map<string, string>()
  let kept = 0
  return {
    keepOutput(call, text) {
      kept += text.length - (outputs.get(call)?.length ?? 0)
      outputs.set(call, text)
      for (const [oldest, { length }] of outputs) {
        if (kept <= limit || oldest === call) break
        outputs.delete(oldest)
        kept -= length
      }
    },
    read(call, from, to) {
      const text = outputs.get(call)
      return text === undefined ? undefined : cutLines(text, from, to)
    },
  }
}

/** What changes replaced, call by call; a call whose records went is forgotten whole, since half of them restore nothing. */
function createReplacedFiles(limit: number) {
  const calls = new Map<string, { records: KeptReplaced[]; size: number }>()
  let kept = 0
  return {
    keep(record: KeptReplaced): void {
      const size = 100 + (record.before?.type === 'file' ? (record.before.bytes?.length ?? 0) : 0)
      const known = calls.get(record.call) ?? { records: [], size: 0 }
      known.records.push(record)
      known.size += size
      kept += size
      calls.set(record.call, known)
      for (const [oldest, { size: freed }] of calls) {
        if (kept <= limit || oldest === record.call) break
        calls.delete(oldest)
        kept -= freed
      }
    },
    by: (call: string): readonly KeptReplaced[] => calls.get(call)?.records ?? [],
    clear: () => calls.clear(),
  }
}
