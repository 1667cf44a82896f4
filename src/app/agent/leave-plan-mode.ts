import type { Calls } from '../../core/ports/calls.ts'
import type { Log } from '../../core/ports/log.ts'

interface PlanParts {
  readonly session: string
  readonly log: Pick<Log, 'read'>
  /** True while the session only plans. */
  isPlanning(): boolean
  /** Called when a plan was approved. */
  leave(): void
}

/** The same calls; an approved plan takes the session out of the mode plan. Only an answer in the log counts as an approval: a tool that merely ran is none. */
export function leavePlanMode(calls: Calls, { session, log, isPlanning, leave }: PlanParts): Calls {
  const isApproved = async (call: string): Promise<boolean> => {
    const events = await log.read({ session })
    return events.some(
      (event) => event.type === 'approval-answer' && event.call === call && event.reply.approved === true,
    )
  }
  return {
    ...calls,
    async run(id, call, signal) {
      const result = await calls.run(id, call, signal)
      const isPlan = calls.snapshot.find(call.name)?.tool.leavesPlanMode === true
      if (isPlan && result.ok && isPlanning() && (await isApproved(id))) leave()
      return result
    },
  }
}
