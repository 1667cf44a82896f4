import type { ApprovalRequest } from '../../core/approval/approval.ts'
import type { GrantLimits } from '../../core/approval/grant.ts'
import { agentsOfJob } from '../../core/plans/agent-ids.ts'
import type { Choice } from '../layers/picker.ts'

/** How long a grant holds. */
const LIMITS: readonly { readonly text: string; readonly limits: GrantLimits; readonly isLasting?: true }[] = [
  { text: 'in this session', limits: { session: true } },
  { text: 'in this job of the plan, every try', limits: { within: 'job' } },
  { text: 'in this plan, every job', limits: { within: 'plan' } },
  { text: 'for 30 minutes', limits: { minutes: 30 } },
  { text: 'for 5 more calls', limits: { times: 5 } },
  { text: 'always', limits: {}, isLasting: true },
]

/** Returns which calls a grant can cover. What cannot be undone is never allowed for a folder. */
export function scopeChoices({ grants, summary }: ApprovalRequest): Choice[] {
  const canUndo = summary?.canUndo !== false
  return grants
    .filter(({ scope }) => canUndo || scope.kind !== 'folder')
    .map(({ scope, text }) => ({ id: scope.kind, text }))
}

/** Returns how long it can hold: for a job of a plan also as long as the job or the plan. What cannot be undone is never allowed for always. */
export function limitChoices({ summary, session }: ApprovalRequest): Choice[] {
  const isInPlan = agentsOfJob(session) !== undefined
  return LIMITS.flatMap(({ text, limits, isLasting }, index) => {
    if ((isLasting && summary?.canUndo === false) || (limits.within !== undefined && !isInPlan)) return []
    return [{ id: String(index), text }]
  })
}

export function limitsOf(id: string): GrantLimits {
  return LIMITS[Number(id)]?.limits ?? { session: true }
}
