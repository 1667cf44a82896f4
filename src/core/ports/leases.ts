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
  /** Appends the message and, in the same commit, takes the lease unless a living process holds it. Ends the calls that a dead one left open, also those that wait for an answer: the message is what counts now. Rejects with UNAVAILABLE. */
  claim(session: string, message: Message): Promise<Claimed>
  /** Takes the lease of a session whose process has died in the middle of a run, with `isFree` also of one that none runs, and ends the calls it left open. False if no dead process holds it, or while a call of the session still waits for an answer. Ends a call whose question was answered since with that answer. Rejects with UNAVAILABLE. */
  takeOver(session: string, isFree?: boolean): Promise<boolean>
  /** Releases the lease. False if a message was committed after `seen`, the cursor of the last handled message; the process then keeps the lease and continues. */
  end(session: string, seen: number): Promise<boolean>
  /** Which of these sessions a process runs: `alive` if it lives, `dead` if it died before the end of its run. Sessions that none runs are left out. One query for all. */
  holders(sessions: readonly string[]): Promise<ReadonlyMap<string, 'alive' | 'dead'>>
  /** True while a living process, this one included, runs the session. */
  isHeld(session: string): Promise<boolean>
  /** Deletes a session and the sessions that it started: messages, outputs, requests. Keeps a row for each call that had an effect, and what undo needs, until retention removes them. False while one of these sessions runs. */
  delete(session: string): Promise<boolean>
}
