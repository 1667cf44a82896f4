import type { ApprovalRequest } from '../../core/approval/approval.ts'
import type { GrantChoice, GrantLimits, GrantScope } from '../../core/approval/grant.ts'
import { agentsOfJob } from '../../core/plans/agent-ids.ts'
import { askLine, rejectAnswer } from '../terminal/ask-line.ts'
import { paintError } from '../terminal/front-end.ts'

/** Asks the person which grant to give with their yes, and for how long. Resolves to undefined when they go back. */
export async function chooseGrant(
  { grants, session }: ApprovalRequest,
  signal: AbortSignal,
): Promise<GrantChoice | undefined> {
  for (const [index, { text }] of grants.entries())
    process.stderr.write(`  ${paintError('bold', String(index + 1))} ${paintError('reset', text)}\n`)
  for (;;) {
    const which = (await askLine({ text: `${paintError('bold', 'Which grant?')} (Enter: back) › `, signal }))?.trim()
    if (!which) return undefined
    const offer = grants[Number(which) - 1]
    if (offer) return chooseLimits(offer.scope.kind, session, signal)
    rejectAnswer(
      which,
      grants.length === 1 ? '1, or Enter to go back' : `a number from 1 to ${grants.length}, or Enter to go back`,
    )
  }
}

async function chooseLimits(
  scope: GrantScope['kind'],
  session: string,
  signal: AbortSignal,
): Promise<GrantChoice | undefined> {
  for (;;) {
    const inPlan = agentsOfJob(session) === undefined ? '' : '[j]ob, [p]lan, '
    const text = `${paintError('bold', 'For how long?')} ${inPlan}[a]lways, [s]ession, 30m, 5x (Enter: back) › `
    const given = (await askLine({ text, signal }))?.trim()
    if (!given) return undefined
    const limits = readLimits(given)
    if (limits && (limits.within === undefined || inPlan !== '')) return { scope, ...limits }
    rejectAnswer(given, 'one of the letters in brackets, minutes as 30m, uses as 5x, or Enter to go back')
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
