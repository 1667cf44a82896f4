import type { ApprovalRequest } from '../../core/approval/approval.ts'
import type { GrantChoice, GrantLimits } from '../../core/approval/grant.ts'
import { agentsOfJob } from '../../core/plans/agent-ids.ts'
import { askLine } from '../terminal/ask-line.ts'
import { paintError } from '../terminal/front-end.ts'

/** Asks the person which grant to give with their yes, and for how long. Resolves to undefined when they go back. */
export async function chooseGrant(
  { grants, session }: ApprovalRequest,
  signal: AbortSignal,
): Promise<GrantChoice | undefined> {
  for (const [index, { text }] of grants.entries())
    process.stderr.write(`  ${paintError('bold', String(index + 1))} ${paintError('reset', text)}\n`)
  const which = await askLine({ text: `${paintError('bold', 'Which grant?')} (Enter: back) › `, signal })
  const offer = grants[Number(which?.trim() || 0) - 1]
  if (!offer) return undefined
  for (;;) {
    const inPlan = agentsOfJob(session) === undefined ? '' : '[j]ob, [p]lan, '
    const text = `${paintError('bold', 'For how long?')} ${inPlan}[a]lways, [s]ession, 30m, 5x (Enter: back) › `
    const given = await askLine({ text, signal })
    if (given === undefined || given.trim() === '') return undefined
    const limits = readLimits(given.trim())
    if (limits && (limits.within === undefined || inPlan !== '')) return { scope: offer.scope.kind, ...limits }
  }
}

/** Reads the limits of a grant: `always`, `session`, `job`, `plan` (or their first letters), minutes as `30m`, uses as `5x`. Returns undefined for anything else. */
export function readLimits(given: string): GrantLimits | undefined {
  if (/^a(lways)?$/i.test(given)) return {}
  if (/^s(ession)?$/i.test(given)) return { session: true }
  if (/^j(ob)?$/i.test(given)) return { within: 'job' }
  if (/^p(lan)?$/i.test(given)) return { within: 'plan' }
  const [, number, unit] = /^(\d{1,6})\s*([mx])$/i.exec(given) ?? []
  if (number === undefined || Number(number) === 0) return undefined
  return unit?.toLowerCase() === 'm' ? { minutes: Number(number) } : { times: Number(number) }
}
