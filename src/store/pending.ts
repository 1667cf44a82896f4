import { applyEvent, type OpenRecord, startedCall } from '../core/call-record.ts'
import type { Event } from '../core/event.ts'
import type { LedgerEntry } from '../core/store.ts'
import type { UnkeptChange } from '../core/undo-store.ts'
import { changeableText } from './event-text.ts'

/** A call that has not been written to its end. */
export interface LiveCall {
  readonly record: OpenRecord
  lastSeq: number
  /** True once it has a row of its own, or must get one since others speak of it. */
  hasRow: boolean
  /** What the ledger says of it, once it is about to have an effect. */
  ledger?: LedgerEntry
}

/** Events of one session that will share rows. */
export interface SessionChunk {
  readonly events: Event[]
  /** What of each might still change, as it was when the event was appended. */
  readonly kept: (string | undefined)[]
  calls: number
}

/** What waits to be written. */
export interface Pending {
  readonly chunks: Map<string, SessionChunk>
  readonly calls: Set<LiveCall>
  readonly ledger: Set<LiveCall>
  readonly outputs: Map<string, string>
  readonly unkept: Map<string, UnkeptChange>
  count: number
  /** About how much it is. */
  characters: number
}

/** About how many characters an event takes beside what is kept of it. */
const EVENT_TEXT = 150

/** Nothing waiting. */
export function createPending(): Pending {
  const sets = { calls: new Set<LiveCall>(), ledger: new Set<LiveCall>() }
  return { chunks: new Map(), ...sets, outputs: new Map(), unkept: new Map(), count: 0, characters: 0 }
}

/** True when there is something to write. */
export function hasPending(pending: Pending): boolean {
  return pending.count > 0 || pending.outputs.size > 0 || pending.ledger.size > 0 || pending.unkept.size > 0
}

/** The calls of this process that have begun and not ended, by id: hosts make ids that nobody else has. */
export type LiveCalls = Map<string, LiveCall>

/** Adds an event to what waits, and writes it into the record of its call. */
export function addEvent(pending: Pending, live: LiveCalls, event: Event): void {
  const chunk = chunkOf(pending, event.session)
  chunk.events.push(event)
  const kept = changeableText(event)
  chunk.kept.push(kept)
  pending.characters += EVENT_TEXT + (kept?.length ?? 0)
  pending.count++
  if (!('call' in event)) return
  let found = live.get(event.call)
  if (event.type === 'call-start') {
    found = { record: startedCall(event), lastSeq: event.seq, hasRow: false }
    live.set(event.call, found)
    chunk.calls++
  }
  if (!found) return
  applyEvent(found.record, event)
  found.lastSeq = event.seq
  pending.calls.add(found)
  if (event.type === 'call-end') live.delete(event.call)
}

function chunkOf({ chunks }: Pending, session: string): SessionChunk {
  const found = chunks.get(session)
  if (found) return found
  const made: SessionChunk = { events: [], kept: [], calls: 0 }
  chunks.set(session, made)
  return made
}

/** Moves what has a place of `from` or later by so many places: others took those while the file could not be written. */
export function shiftPending(pending: Pending, { from, by }: { readonly from: number; readonly by: number }): void {
  const moved = (seq: number) => (seq >= from ? seq + by : seq)
  for (const { events } of pending.chunks.values()) for (const event of events) event.seq = moved(event.seq)
  for (const call of pending.calls) {
    call.record.seq = moved(call.record.seq)
    call.lastSeq = moved(call.lastSeq)
  }
}
