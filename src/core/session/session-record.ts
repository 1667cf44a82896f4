import type { Mode } from './mode.ts'

/** What a session begins with. A selection that is absent means all, an empty one means none. */
export interface SessionStart {
  /** The folder its calls work in. */
  readonly workspace: string
  readonly model?: string
  readonly mode: Mode
  readonly tools?: readonly string[]
  readonly mcpServers?: readonly string[]
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
}

/** What a session does now: it works, it waits for a person, it rests, or the process that ran it is gone. */
export type SessionState = 'running' | 'waiting' | 'idle' | 'interrupted'

/** A session in a listing, with what it does now. */
export interface SessionSummary extends SessionRecord {
  readonly state: SessionState
}

/** A session record that can still change; for implementations of the log. */
export type OpenSession = { -readonly [Member in keyof SessionRecord]: SessionRecord[Member] }

/** The record of a session without a `session-start` event. */
export function newSession(session: string, at: number): OpenSession {
  const unknown = { workspace: null, parent: null, title: null, model: null, mode: null }
  return { session, ...unknown, startedAt: at, lastAt: at, calls: 0 }
}
