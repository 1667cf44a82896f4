import { applyEvent, type OpenRecord, startedCall } from '../../../core/call/call-record.ts'
import type { LedgerEntry } from '../../../core/ports/ledger.ts'
import type { UnkeptChange } from '../../../core/ports/undo-store.ts'
import { type Event, isDelta } from '../../../core/session/event.ts'
import { changeableText } from './event-text.ts'

/** A call whose end is not written yet. */
export interface LiveCall {
  readonly record: OpenRecord
  /** The cursor of its last written event. */
  lastCursor: number
  /** True once it has its own row, or needs one because other rows refer to it. */
  hasRow: boolean
  /** Its ledger entry, once it is about to have an effect. */
  ledger?: LedgerEntry
}

/** A pending event, with its changeable parts and its call. */
export interface Waiting {
  event: Event
  readonly kept: string | undefined
  readonly call: LiveCall | undefined
}

/** The data that waits to be written. */
export interface Pending {
  /** Events by session, since the events of one session share rows. */
  readonly events: Map<string, Waiting[]>
  readonly calls: Set<LiveCall>
  readonly ledger: Set<LiveCall>
  readonly outputs: Map<string, string>
  readonly unkept: Map<string, UnkeptChange>
  /** The pending piece of each stream; later pieces are appended to it. */
  readonly streams: Map<string, Waiting>
  count: number
  /** The approximate size in characters. */
  characters: number
}

/** The approximate size of an event without its kept parts, in characters. */
const EVENT_TEXT = 150

/** Creates an empty set of pending data. */
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

/** The open calls of this process, by id. */
export type LiveCalls = Map<string, LiveCall>

/** Adds an event to the pending data and updates the record of its call. A stream piece is appended to the previous piece. */
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

/** Returns the stream of a piece: the output of a call, or the text or reasoning of a session's model. */
export function streamOf(event: Delta): string {
  if (event.type === 'call-delta') return `call ${event.call}`
  return `${event.reasoning ? 'reasoning' : 'message'} ${event.session}`
}

/** Appends a piece to the pending previous piece; returns false when there is none. */
function joinPiece(pending: Pending, piece: Delta): boolean {
  const before = pending.streams.get(streamOf(piece))
  if (!before || !isDelta(before.event)) return false
  if (before.event.offset + before.event.text.length !== piece.offset) return false
  before.event = { ...before.event, text: before.event.text + piece.text }
  pending.characters += piece.text.length
  return true
}
