import type { Event, EventBody } from './event.ts'
import type { Replaced } from './files.ts'
import type { Outputs } from './outputs.ts'

/** Where events and whole outputs lie. */
export interface Store extends Outputs {
  /** Gives the event its place and keeps it; the same object comes back, now with `seq` and `at`. */
  append(body: EventBody): Event
  /** The kept events in order, of one session or of all. */
  events(session?: string): readonly Event[]
  /** Keeps the whole output of a call. */
  keepOutput(call: string, text: string): void
  /** Keeps what a change of a file replaces, before it happens. */
  keepReplaced(record: Replaced): void
  /** What a call's changes replaced, in order; undoing them means going backwards. */
  replacedBy(call: string): readonly Replaced[]
  close(): void
}
