import { applyEvent, type OpenRecord, startedCall } from '../core/call-record.ts'
import type { Event, EventBody } from '../core/event.ts'
import type { FileChange, KeptChange } from '../core/file-change.ts'
import type { EventMask } from '../core/mask-event.ts'
import type { CallFilter, EventFilter, SessionRecord, Store } from '../core/store.ts'
import { hashContent, MAX_CONTENT, tooLarge } from './kept-files.ts'
import { DEFAULT_LIMIT, matchesCall, newerFirst } from './match-call.ts'
import { cutLines } from './read-output.ts'

interface MemoryOptions {
  /** How many events are kept; the oldest go first. */
  maxEvents?: number
  /** How many characters of whole outputs are kept; the oldest go first. */
  maxOutput?: number
  /** Bytes of the largest content kept for undo. */
  maxContent?: number
  mask?: EventMask
}

/** A store that forgets when the process ends, and its oldest entries when it is full. */
export function createMemoryStore(options: MemoryOptions = {}): Store {
  const { maxEvents = 100_000, maxOutput = 64_000_000, mask } = options
  let events: Event[] = []
  let seq = 0
  const outputs = createOutputs(maxOutput)
  const calls = (filter: CallFilter = {}) =>
    recordsOf(events)
      .filter((record) => matchesCall(record, filter))
      .sort(newerFirst)
      .slice(0, filter.limit ?? DEFAULT_LIMIT)
  return {
    append(body: EventBody): Event {
      const event: Event = Object.assign(mask ? mask(body) : body, { seq: ++seq, at: Date.now() })
      events.push(event)
      if (events.length > maxEvents * 1.25) events = events.slice(-maxEvents)
      return event
    },
    begin: () => Promise.resolve(),
    commit: () => Promise.resolve(),
    trouble: () => undefined,
    sessions: (limit = DEFAULT_LIMIT) => sessionsOf(events).slice(0, limit),
    calls,
    events: (filter = {}) => selectEvents(events, filter),
    tail: (cursor) => ({ events: cursor < 0 ? [] : events.filter((event) => event.seq > cursor), cursor: seq }),
    ...outputs,
    ...createFiles(
      options.maxContent ?? MAX_CONTENT,
      ({ session, call }) => calls({ session, call, limit: 1 })[0]?.seq,
    ),
    close() {
      events = []
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

type Files = Pick<Store, 'keepContent' | 'content' | 'keepChange' | 'changes'>

function createFiles(limit: number, seqOf: (change: FileChange) => number | undefined): Files {
  const contents = new Map<string, Uint8Array>()
  const changes: (KeptChange & { callSeq: number | undefined })[] = []
  return {
    async keepContent(bytes) {
      const hash = hashContent(bytes)
      if (bytes.length > limit) return { kept: false, hash, reason: tooLarge(bytes.length, limit) }
      if (!contents.has(hash)) contents.set(hash, Uint8Array.from(bytes))
      return { kept: true, hash }
    },
    content: (hash) => contents.get(hash),
    keepChange(change) {
      changes.push({ ...change, id: changes.length + 1, at: Date.now(), callSeq: seqOf(change) })
    },
    changes: ({ session, callSeq }) =>
      changes
        .filter((change) => (callSeq === undefined ? change.session === session : change.callSeq === callSeq))
        .map(({ callSeq: _, ...change }) => change)
        .reverse(),
  }
}
