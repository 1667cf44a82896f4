import type { Result } from '../../core/call/result.ts'
import type { Calls } from '../../core/ports/calls.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Mode } from '../../core/session/mode.ts'

interface PlanParts {
  readonly session: string
  readonly log: Pick<Log, 'read'>
  /** The mode of the session now. */
  mode(): Mode
  /** Called when a plan was approved. */
  leave(): void
}

/** Makes the calls in the mode that the session has now; an approved plan takes the session out of the mode plan. Only an answer in the log counts as an approval: a tool that merely ran is none. */
export function leavePlanMode(calls: Calls, { session, log, mode, leave }: PlanParts): Calls {
  const isApproved = async (call: string): Promise<boolean> => {
    const events = await log.read({ session })
    return events.some(
      (event) => event.type === 'approval-answer' && event.call === call && event.reply.approved === true,
    )
  }
  const leaveAfter = async (id: string, running: Promise<Result>): Promise<Result> => {
    const result = await running
    if (result.ok && mode() === 'plan' && (await isApproved(id))) leave()
    return result
  }
  return {
    nextId: calls.nextId,
    snapshot: calls.snapshot,
    run(made, signal) {
      const running = calls.run(made, signal, mode())
      if (mode() !== 'plan') return running
      const tools = calls.snapshot()
      return running.map((result, at) => {
        const { call = '', name = '' } = made[at] ?? {}
        return tools.find(name)?.tool.leavesPlanMode === true ? leaveAfter(call, result) : result
      })
    },
  }
}
