import type { RunEndReason } from '../session/run-end-reason.ts'

/** What an agent is started for. */
export interface AgentOrder {
  readonly task: string
  /** Tools of the session that starts it; all of them when left out. */
  readonly tools?: readonly string[]
  /** The model of the session that starts it, when left out. */
  readonly model?: string
}

/** Where an agent stands: it waits for its turn, it runs, it has ended. */
export type AgentState = 'queued' | 'running' | 'ended'

/** An agent of a session, in one line. */
export interface AgentRecord {
  /** The id of its session. */
  readonly agent: string
  /** Its task, shortened to a title. */
  readonly title: string
  readonly state: AgentState
  /** How its run ended; `interrupted` where the process that ran it is gone. */
  readonly reason?: RunEndReason | 'interrupted'
  readonly steps: number
  /** What it reported, once it has ended. */
  readonly summary?: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
}

/** The agents of one session. */
export interface Agents {
  /** Starts an agent and resolves when its run has ended. Rejects with ToolError where it may not be started. */
  run(order: AgentOrder): Promise<AgentRecord>
  /** The newest first. */
  list(): Promise<readonly AgentRecord[]>
  /** Returns undefined where the session has no agent of that id. */
  get(agent: string): Promise<AgentRecord | undefined>
}
