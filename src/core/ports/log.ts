import type { CallRecord } from '../call/call-record.ts'
import type { Outcome } from '../call/codes.ts'
import type { Decision } from '../rules/rule.ts'
import type { CommittedEvent, Event, EventBody } from '../session/event.ts'
import type { SessionRecord } from '../session/session-record.ts'

/** Which calls to list; every member that is given must match. */
export interface CallFilter {
  readonly session?: string
  readonly call?: string
  /** Only calls whose id starts so. */
  readonly callPrefix?: string
  readonly tool?: string
  readonly decision?: Decision
  readonly outcome?: Outcome
  /** Only calls in the background. */
  readonly isTask?: true
  /** Only calls that have not ended. */
  readonly isOpen?: true
  /** Milliseconds since 1970: started then or later. */
  readonly since?: number
  /** Only calls that were committed before this cursor: that of the last record of the page before. */
  readonly before?: number
  /** At most so many; 100 when not given. */
  readonly limit?: number
}

/** Which events to list, in the order of commits. */
export interface EventFilter {
  readonly session?: string
  /** The id of a call. */
  readonly call?: string
  /** Only events after this cursor. */
  readonly after?: number
  /** At most so many; all when not given. */
  readonly limit?: number
}

/** Which sessions to list, the last used first. */
export interface SessionFilter {
  readonly session?: string
  /** Only sessions whose id starts so. */
  readonly prefix?: string
  readonly workspace?: string
  readonly parent?: string
  /** At most so many; 100 when not given. */
  readonly limit?: number
}

/** A message that a search found. */
export interface MessageHit {
  readonly session: string
  /** The id of its event. */
  readonly event: string
  readonly role: 'user' | 'assistant'
  readonly at: number
  /** The part of the message around the first word that was found. */
  readonly excerpt: string
}

/** What to follow, from where and how long. */
export interface FollowOptions {
  /** Begins after this cursor; 0 begins with the first event. Without it, with what is committed from now on. */
  readonly after?: number
  readonly session?: string
  /** Ends the loop. */
  readonly signal?: AbortSignal
  /** Does not keep the process alive while it waits. */
  readonly unref?: true
}

/** Where events lie. Reading sees everything that this process appended before. */
export interface Log {
  /** Masks the event, gives it an id and queues it; never throws. It is written within 50 ms, or by the next `flush`. */
  append(body: EventBody): Event
  /** Resolves once everything appended so far is committed; rejects with UNAVAILABLE. Those who wait at the same time share one transaction. */
  flush(): Promise<void>
  /** Why the log cannot be written, in words for a person; undefined while it can. */
  problem(): string | undefined
  /** Events in the order of commits. Those that cannot be written come last and have no cursor. */
  read(filter?: EventFilter): Promise<readonly (Event & { readonly cursor?: number })[]>
  /** Sessions, the last used first. */
  sessions(filter?: SessionFilter): Promise<readonly SessionRecord[]>
  /** Calls, the newest first. */
  calls(filter?: CallFilter): Promise<readonly CallRecord[]>
  /** Finds messages that hold every word of a text, the newest first, at most `limit` (20). Case does not matter; only the newest part of a very long log is searched. */
  search(text: string, limit?: number): Promise<readonly MessageHit[]>
  /** Yields committed events of every process, each once and in the order of commits, and waits for more until the signal aborts. Pieces of streams may be merged or missing. */
  follow(options?: FollowOptions): AsyncIterableIterator<CommittedEvent, undefined>
  /** The cursor of the last commit: what is committed later follows it. */
  end(): Promise<number>
}
