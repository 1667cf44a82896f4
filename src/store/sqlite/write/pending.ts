import { applyEvent, type OpenRecord, startedCall } from '../../../core/call/call-record.ts'
import type { LedgerEntry } from '../../../core/ports/ledger.ts'
import type { UnkeptChange } from '../../../core/ports/undo-store.ts'
import { type Event, isDelta } from '../../../core/session/event.ts'
import { changeableText } from './event-text.ts'

/** A call that has not been written to its end. */
export interface LiveCall {
  readonly record: OpenRecord
  /** The cursor of the last event of it that was written. */
  lastCursor: number
  /** True once it has a row of its own, or must get one since other rows name it. */
  hasRow: boolean
  /** What the ledger says of it, once it is about to have an effect. */
  ledger?: LedgerEntry
}

/** An event that waits, with what of it might still change and the call it belongs to. */
export interface Waiting {
  event: Event
  readonly kept: string | undefined
  readonly call: LiveCall | undefined
}

/** What waits to be written. */
export interface Pending {
  /** By session: the events of one share rows. */
  readonly events: Map<string, Waiting[]>
  readonly calls: Set<LiveCall>
  readonly ledger: Set<LiveCall>
  readonly outputs: Map<string, string>
  readonly unkept: Map<string, UnkeptChange>
  /** The piece of each stream that waits; later pieces are joined to it. */
  readonly streams: Map<string, Waiting>
  count: number
  /** About how much it is. */
  characters: number
}

/** About how many characters an event takes beside what is kept of it. */
const EVENT_TEXT = 150

/** Nothing waiting. */
export function createPending(): Pending {
  return {
    events: new Map(),
    calls: new Set(),
    ledger: new Set(),
    outputs: new Map(),
    unkept: new Map(),
    streams: new Map(),
    count: 0,
    characters: 0,
  }
}

/** True when there is something to write. */
export function hasPending(pending: Pending): boolean {
  const { count, outputs, ledger, calls, unkept } = pending
  return count > 0 || outputs.size > 0 || ledger.size > 0 || calls.size > 0 || unkept.size > 0
}

/** The calls of this process that have begun and not ended, by id. */
export type LiveCalls = Map<string, LiveCall>

/** Adds an event to what waits, and writes it into the record of its call. A piece of a stream is joined to the piece before it. */
export function addEvent(pending: Pending, live: LiveCalls, event: Event): void {
  const call = 'call' in event ? noteCall(pending, live, event) : undefined
  if (isDelta(event) && joinPiece(pending, event)) return
  const kept = changeableText(event)
  const waiting: Waiting = { event, kept, call }
  const own = pending.events.get(event.session)
  if (own) own.push(waiting)
  else pending.events.set(event.session, [waiting])
  if (isDelta(event)) pending.streams.set(streamOf(event), waiting)
  pending.characters += EVENT_TEXT + (kept?.length ?? 0)
  pending.count++
}

function noteCall(pending: Pending, live: LiveCalls, event: Extract<Event, { call: string }>): LiveCall | undefined {
  let call = live.get(event.call)
  if (event.type === 'call-start') {
    call = { record: startedCall(event), lastCursor: 0, hasRow: false }
    live.set(event.call, call)
  }
  if (!call) return undefined
  applyEvent(call.record, event)
  pending.calls.add(call)
  if (event.type === 'call-end') live.delete(event.call)
  return call
}

type Delta = Extract<Event, { type: 'call-delta' | 'message-delta' }>

/** Which stream a piece belongs to: the output of a call, or what a session's model writes or thinks. */
export function streamOf(event: Delta): string {
  if (event.type === 'call-delta') return `call ${event.call}`
  return `${event.reasoning ? 'reasoning' : 'message'} ${event.session}`
}

/** Joins a piece to the one before it where both wait; false where there is none it continues. */
function joinPiece(pending: Pending, piece: Delta): boolean {
  const before = pending.streams.get(streamOf(piece))
  if (!before || !isDelta(before.event)) return false
  if (before.event.offset + before.event.text.length !== piece.offset) return false
  before.event = { ...before.event, text: before.event.text + piece.text }
  pending.characters += piece.text.length
  return true
}
