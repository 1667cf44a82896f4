import type { ApprovalStore } from './approval-record.ts'
import type { CallRecord, Outcome } from './call-record.ts'
import type { Event, EventBody } from './event.ts'
import type { Replaced } from './files.ts'
import type { Outputs } from './outputs.ts'
import type { Decision } from './rule.ts'
import type { Effect } from './tool.ts'
import type { UndoStore } from './undo-store.ts'

/** A session in one line of the log. */
export interface SessionRecord {
  readonly session: string
  readonly startedAt: number
  readonly lastAt: number
  readonly calls: number
}

/** A call that is about to have an effect. */
export interface LedgerEntry {
  readonly session: string
  readonly call: string
  readonly effect: Effect
  readonly idempotent: boolean
}

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
  /** Milliseconds since 1970: started then or later. */
  readonly since?: number
  /** Only calls with a lower `seq`: that of the last record of the page before. */
  readonly before?: number
  /** At most so many; 100 when not given. */
  readonly limit?: number
}

/** Which events to list, oldest first. */
export interface EventFilter {
  readonly session?: string
  /** The `seq` of a call's record. */
  readonly callSeq?: number
  /** Only events with a higher `seq`. */
  readonly after?: number
  /** At most so many; all when not given. */
  readonly limit?: number
}

/** What a change replaced, and in which workspace. */
export interface KeptReplaced extends Replaced {
  readonly workspace: string
}

/** Whose changes: of a session, or in a workspace. */
export interface ChangedFilter {
  readonly session?: string
  readonly workspace?: string
  /** At most so many; 100 when not given. */
  readonly limit?: number
}

/** What was committed since a cursor, in the order of commits, by any process; the cursor to ask with next. */
export interface Tail {
  readonly events: readonly Event[]
  readonly cursor: number
}

/** Where events, ledger rows, waiting questions, whole outputs and replaced contents lie. Queries see everything appended before them. */
export interface Store extends Outputs, ApprovalStore, UndoStore {
  /** Gives the event its place and keeps it, secrets masked; never throws. Written behind: durable after `commit`. */
  append(body: EventBody): Event
  /** Writes the ledger row of a call. Resolves once it is committed; rejects with UNAVAILABLE, and then the call must not run. */
  begin(entry: LedgerEntry): Promise<void>
  /** Resolves once everything appended so far is committed; rejects with UNAVAILABLE. Waits at the same time share one transaction. */
  commit(): Promise<void>
  /** Why the log cannot be written, in words for a person; undefined while it can. */
  trouble(): string | undefined

  /** Sessions, the last used first; with a prefix, only those whose id starts so. */
  sessions(limit?: number, prefix?: string): readonly SessionRecord[]
  /** Calls, the newest first. */
  calls(filter?: CallFilter): readonly CallRecord[]
  /** Events in order. */
  events(filter?: EventFilter): readonly Event[]
  /** For followers: cursor -1 gives the present end and no events. */
  tail(cursor: number): Tail

  /** Keeps the whole output of a call; a later one under the same id replaces it. */
  keepOutput(call: string, text: string): void
  /** Keeps what a change of a file replaces, committed when it returns, while its call runs; throws UNAVAILABLE, and then the change must not happen. Contents are kept once, by hash; one over the limit is not, and reads back as null. */
  keepReplaced(record: KeptReplaced): void
  /** What a call's changes replaced, in order; undoing them means going backwards. */
  replacedBy(call: string): readonly KeptReplaced[]
  /** Calls that changed files, the newest first. */
  changedCalls(filter?: ChangedFilter): readonly CallRecord[]

  /** Writes what is pending and lets go of the file; may be called twice. */
  close(): void
}
