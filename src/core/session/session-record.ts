import type { Mode } from './mode.ts'
import type { RunEndReason } from './run-end-reason.ts'

/** What a session begins with. A selection that is absent means all, an empty one means none. */
export interface SessionStart {
  /** The folder its calls work in. */
  readonly workspace: string
  readonly model?: string
  readonly mode: Mode
  readonly tools?: readonly string[]
  readonly mcpServers?: readonly string[]
  /** True where the session has nothing but what the selection names: no control tools. */
  readonly only?: true
  /** The session whose agent started this one. */
  readonly parent?: string
  readonly forkedFrom?: string
}

/** The members of a session that can change. */
export interface SessionChange {
  readonly title?: string
  readonly model?: string
  readonly mode?: Mode
}

/** One session in a listing. `workspace` is null if the log has no `session-start` event for it. */
export interface SessionRecord {
  readonly session: string
  readonly workspace: string | null
  readonly parent: string | null
  readonly title: string | null
  readonly model: string | null
  readonly mode: Mode | null
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly lastAt: number
  readonly calls: number
  /** How its last run ended; null where none has, or one is under way. */
  readonly ended: RunEndReason | null
}

/** What a session does now, in the words that people read. */
export const SESSION_WORDS = {
  waiting: 'waiting for you',
  running: 'running',
  idle: 'done',
  /** The process that ran it is gone. */
  interrupted: 'interrupted',
  failed: 'failed',
  /** Somebody stopped its last run. */
  stopped: 'stopped',
  /** Its last run reached the limit of steps, or was stopped because the model repeated itself. */
  'cut-off': 'cut off',
} as const

/** What a session does now, or how its last run ended where that was not well. */
export type SessionState = keyof typeof SESSION_WORDS

/** A session in a listing, with what it does now. */
export interface SessionSummary extends SessionRecord {
  readonly state: SessionState
}

/** A session record that can still change; for implementations of the log. */
export type OpenSession = { -readonly [Member in keyof SessionRecord]: SessionRecord[Member] }

/** The record of a session without a `session-start` event. */
export function newSession(session: string, at: number): OpenSession {
  const unknown = { workspace: null, parent: null, title: null, model: null, mode: null }
  return { session, ...unknown, startedAt: at, lastAt: at, calls: 0, ended: null }
}
