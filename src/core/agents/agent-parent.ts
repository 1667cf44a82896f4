import type { Approver } from '../approval/approval.ts'
import type { Snapshot } from '../tool/snapshot.ts'
import type { Agents } from './agents.ts'

/** The call that reaches for agents: whose it is, what its tools are, who answers for it. */
export interface AgentParent {
  readonly session: string
  readonly signal: AbortSignal
  /** The tools of its session: an agent gets no others. */
  readonly snapshot: Snapshot | undefined
  readonly approver: Approver | undefined
  readonly wait: boolean | undefined
}

/** Gives a call the agents of its session. */
export type AgentsOf = (parent: AgentParent) => Agents
