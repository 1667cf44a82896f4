import { isFailure, ToolError } from '../../core/call/result.ts'
import { PlanError } from '../../core/plans/plan.ts'
import type { ProposalParent, ProposalsOf } from '../../core/plans/proposal-parent.ts'
import type { Storage } from '../../core/ports/storage.ts'
import type { Mode } from '../../core/session/mode.ts'
import { selectForAgent } from '../agent/agents.ts'
import type { OwnPlans, Proposed } from './plans.ts'

interface ProposeParts {
  readonly workspace: string
  readonly plans: Pick<OwnPlans, 'checkProposed' | 'startProposed'>
  readonly storage: Storage
}

/** Creates what the sessions of one host propose plans with. A plan starts with the mode, model and tools of its session. */
export function createProposals({ workspace, plans, storage }: ProposeParts): ProposalsOf {
  return (parent) => {
    const startOf = async (plan: string | object) => {
      const [record] = await storage.log.sessions({ session: parent.session, limit: 1 })
      if (record && record.parent !== null)
        throw new ToolError('UNAVAILABLE', 'An agent cannot propose a plan of its own. Do the work yourself.')
      const { approver, wait } = parent
      return {
        ...{ workspace, plan, mode: modeAfter(record?.mode ?? 'ask'), by: 'approval' },
        ...(approver && { approver }),
        ...(wait !== undefined && { wait }),
      }
    }
    return {
      check: async (plan) => refusing(async () => plans.checkProposed(await startOf(plan), proposedOf(parent))),
      start: async (plan) =>
        refusing(async () => {
          const started = await plans.startProposed(await startOf(plan), proposedOf(parent))
          if (isFailure(started)) throw new ToolError(started.code, started.text)
          // How it ends is in the log.
          started.rest.catch(() => undefined)
          return started.id
        }),
    }
  }
}

/** An approved plan takes its session out of the mode plan; its jobs work in the mode that follows. */
function modeAfter(mode: Mode): Mode {
  return mode === 'plan' ? 'ask' : mode
}

function proposedOf({ session, call, snapshot }: ProposalParent): Proposed {
  if (snapshot === undefined) throw new ToolError('UNAVAILABLE', 'A plan can be proposed only while a call runs.')
  return { madeIn: session, proposal: call, ...selectForAgent(snapshot) }
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof PlanError)
      throw new ToolError('INVALID_ARGUMENTS', `The plan is not valid. ${thrown.message}`)
    throw thrown
  }
}
