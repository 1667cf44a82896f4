import type { Event, Message } from '../session/event.ts'

/** What became of a message that was sent to a session. */
export interface Claimed {
  /** True where this process now runs the session. False where another living process does: the message reaches it as an event. */
  readonly isHolder: boolean
  /** The message as it was appended. */
  readonly event: Event
  readonly cursor: number
}

/** Who runs a session: one living process at a time. */
export interface Leases {
  /** Appends the message and, in the same commit, takes the lease unless a living process holds it. Rejects with UNAVAILABLE. */
  claim(session: string, message: Message): Promise<Claimed>
  /** Gives the lease back, unless a message was committed after `seen`, the cursor of the last one that was handled: false then, and the holder goes on. */
  end(session: string, seen: number): Promise<boolean>
  /** True while a living process, this one included, runs the session. */
  isHeld(session: string): Promise<boolean>
  /** Removes a session and the sessions below it: messages, outputs, requests. Keeps one row for each call that had an effect, and what undo needs, until retention. False while one of them runs. */
  delete(session: string): Promise<boolean>
}
