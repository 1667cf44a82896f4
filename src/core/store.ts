import type { Event, EventBody } from './event.ts'
import type { Outputs } from './outputs.ts'

/** Where events and whole outputs lie. */
export interface Store extends Outputs {
  /** Gives the event its place and its time, keeps it, and returns it. */
  append(body: EventBody): Event
  /** The kept events in order, of one session or of all. */
  events(session?: string): readonly Event[]
  /** Keeps the whole output of a call. */
  keepOutput(call: string, text: string): void
  close(): void
}
