import type { Mode } from './mode.ts'

/** What a session begins with; a selection that is absent means all, an empty one none. */
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

/** What of a session may change while it lives. */
export interface SessionChange {
  readonly title?: string
  readonly model?: string
  readonly mode?: Mode
}

/** A session in one line of the log. `workspace` is null where calls were made that no session-start came before. */
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

/** A session's record that still changes: only for whoever keeps the log. */
export type OpenSession = { -readonly [Member in keyof SessionRecord]: SessionRecord[Member] }

/** A session of which nothing is known but that something happened in it. */
export function newSession(session: string, at: number): OpenSession {
  const unknown = { workspace: null, parent: null, title: null, model: null, mode: null }
  return { session, ...unknown, startedAt: at, lastAt: at, calls: 0 }
}
