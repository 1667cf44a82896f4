import type { ApprovalRequest } from '../../core/approval/approval.ts'
import type { GrantLimits } from '../../core/approval/grant.ts'
import type { Choice } from '../layers/picker.ts'

/** How long a grant holds. */
const LIMITS: readonly { readonly text: string; readonly limits: GrantLimits; readonly isLasting?: true }[] = [
  { text: 'in this session', limits: { session: true } },
  { text: 'for 30 minutes', limits: { minutes: 30 } },
  { text: 'for 5 more calls', limits: { times: 5 } },
  { text: 'always', limits: {}, isLasting: true },
]

/** Returns which calls a grant can cover. */
export function scopeChoices({ grants }: ApprovalRequest): Choice[] {
  return grants.map(({ scope, text }) => ({ id: scope.kind, text }))
}

/** Returns how long it can hold. What cannot be undone is never allowed for always. */
export function limitChoices({ summary }: ApprovalRequest): Choice[] {
  return LIMITS.flatMap(({ text, isLasting }, index) =>
    isLasting && summary?.canUndo === false ? [] : [{ id: String(index), text }],
  )
}

export function limitsOf(id: string): GrantLimits {
  return LIMITS[Number(id)]?.limits ?? { session: true }
}
