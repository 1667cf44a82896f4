import type { Event, Message } from '../session/event.ts'

/** The outcome of sending a message to a session. */
export interface Claimed {
  /** True if this process now runs the session. False if another living process does, which receives the message as an event. */
  readonly isHolder: boolean
  /** The event of the message. */
  readonly event: Event
  readonly cursor: number
}

/** Makes sure that one living process at a time runs a session. */
export interface Leases {
  /** Appends the message and, in the same commit, takes the lease unless a living process holds it. Rejects with UNAVAILABLE. */
  claim(session: string, message: Message): Promise<Claimed>
  /** Releases the lease. False if a message was committed after `seen`, the cursor of the last handled message; the process then keeps the lease and continues. */
  end(session: string, seen: number): Promise<boolean>
  /** True while a living process, this one included, runs the session. */
  isHeld(session: string): Promise<boolean>
  /** Deletes a session and the sessions that it started: messages, outputs, requests. Keeps a row for each call that had an effect, and what undo needs, until retention removes them. False while one of these sessions runs. */
  delete(session: string): Promise<boolean>
}
