import type { AgentParent } from '../agents/agent-parent.ts'
import type { Proposals } from './proposals.ts'

/** The call that proposes a plan. */
export interface ProposalParent extends AgentParent {
  readonly call: string
}

/** Gives a call the plans that it may propose. */
export type ProposalsOf = (parent: ProposalParent) => Proposals
