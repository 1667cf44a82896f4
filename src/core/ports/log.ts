import type { CallRecord } from '../call/call-record.ts'
import type { Outcome } from '../call/codes.ts'
import type { Decision } from '../rules/rule.ts'
import type { CommittedEvent, Event, EventBody } from '../session/event.ts'
import type { SessionRecord } from '../session/session-record.ts'

/** Which calls to list. Every given member must match. */
export interface CallFilter {
  readonly session?: string
  readonly call?: string
  /** Only calls whose id starts with this. */
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
  /** Only calls committed before this cursor. For the next page, pass the cursor of the last record. */
  readonly before?: number
  /** The most entries to return; 100 when left out. */
  readonly limit?: number
}

/** Which events to list, in the order of commits. */
export interface EventFilter {
  readonly session?: string
  /** The id of a call. */
  readonly call?: string
  /** Only events after this cursor. */
  readonly after?: number
  /** The most entries to return; all when left out. */
  readonly limit?: number
}

/** Which sessions to list, the last used first. */
export interface SessionFilter {
  readonly session?: string
  /** Only sessions whose id starts with this. */
  readonly prefix?: string
  readonly workspace?: string
  readonly parent?: string
  /** The most entries to return; 100 when left out. */
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

/** Which events to follow, from where, and until when. */
export interface FollowOptions {
  /** Begins after this cursor; 0 begins with the first event. When left out, only events committed from now on. */
  readonly after?: number
  readonly session?: string
  /** Only events of these types. */
  readonly types?: readonly EventBody['type'][]
  /** Ends the loop. */
  readonly signal?: AbortSignal
  /** If true, waiting does not keep the process alive. */
  readonly unref?: true
}

/** The log of events. Reading includes everything that this process has appended. */
export interface Log {
  /** Masks the event, gives it an id and queues it; never throws. It is written within 50 ms, or by the next `flush`. */
  append(body: EventBody): Event
  /** Resolves once everything appended so far is committed. Concurrent calls share one transaction. Rejects with UNAVAILABLE. */
  flush(): Promise<void>
  /** Why the log cannot be written, as a message for people; undefined while it can. */
  problem(): string | undefined
  /** Events in the order of commits. Those that cannot be written come last and have no cursor. */
  read(filter?: EventFilter): Promise<readonly (Event & { readonly cursor?: number })[]>
  /** Sessions, the last used first. */
  sessions(filter?: SessionFilter): Promise<readonly SessionRecord[]>
  /** Calls, the newest first. */
  calls(filter?: CallFilter): Promise<readonly CallRecord[]>
  /** Finds messages that hold every word of a text, the newest first, at most `limit` (20). Case does not matter; only the newest part of a very long log is searched. */
  search(text: string, limit?: number): Promise<readonly MessageHit[]>
  /** Finds calls of which every word of a text stands in some event: arguments, rule, answer, output or result. The newest first; case does not matter; only the newest part of a very long log is searched. */
  searchCalls(text: string, filter?: CallFilter): Promise<readonly CallRecord[]>
  /** Counts the calls since a time, in milliseconds since 1970, that each rule decided, by its name. Only the newest part of a very long log is counted. */
  countRules(since: number): Promise<ReadonlyMap<string, number>>
  /** Yields committed events of all processes, each once and in the order of commits, and waits for more until the signal aborts. Pieces of streams may be merged or missing. */
  follow(options?: FollowOptions): AsyncIterableIterator<CommittedEvent, undefined>
  /** The cursor of the last commit. Later commits have larger cursors. */
  end(): Promise<number>
}
