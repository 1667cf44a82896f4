import type { ApprovalRequest, Reply } from '../../core/approval/approval.ts'
import type { ApprovalAnswer } from '../../core/approval/approval-record.ts'
import type { Grant, GrantChoice, Grants } from '../../core/approval/grant.ts'
import { messageOf } from '../../core/call/result.ts'
import type { Storage } from '../../core/ports/storage.ts'
import type { Event } from '../../core/session/event.ts'

/** What giving an answer needs. */
export interface AnswerParts {
  readonly storage: Storage
  readonly grants: Grants
}

/** Gives the one answer a request gets and remembers the grant in it; undefined when somebody was first. Rejects with UNAVAILABLE. */
export async function giveAnswer(
  asked: ApprovalRequest,
  answer: ApprovalAnswer,
  { storage, grants }: AnswerParts,
): Promise<Event | undefined> {
  const taken = withoutBadGrant(asked, answer.reply)
  const event = await storage.approvals.answer(asked.approval, { ...answer, reply: taken })
  if (event && taken.approved === true && taken.grant) await remember(grants, makeGrant(asked, taken.grant, answer.at))
  return event
}

/** A yes that cannot be remembered is still a yes to this call. */
async function remember(grants: Grants, grant: Grant): Promise<void> {
  try {
    await grants.add(grant)
  } catch (thrown) {
    process.emitWarning(`The answer counts, but it could not be remembered: ${messageOf(thrown)}`, 'HaftGrantsWarning')
  }
}

/** Why the grant in a reply cannot be remembered; undefined when it can, or there is none. */
export function grantProblem({ grants }: ApprovalRequest, reply: Reply): string | undefined {
  if (!reply.approved || !reply.grant) return undefined
  const { scope, times, minutes } = reply.grant
  if (reply.modifiedArgs !== undefined) return 'changed arguments cannot be granted; they were not what was asked'
  if (!grants.some((offer) => offer.scope.kind === scope))
    return `there is no grant "${scope}" for this; there is ${grants.map((offer) => offer.scope.kind).join(', ') || 'none'}`
  if (times !== undefined && !(Number.isInteger(times) && times > 0)) return 'times must be a whole number above 0'
  if (minutes !== undefined && !(minutes > 0)) return 'minutes must be above 0'
  return undefined
}

function withoutBadGrant(asked: ApprovalRequest, reply: Reply): Reply {
  if (grantProblem(asked, reply) === undefined || !reply.approved) return reply
  const { grant: _, ...rest } = reply
  return rest
}

function makeGrant(asked: ApprovalRequest, wish: GrantChoice, now: number): Grant {
  const { tool, workspace, askedBy, session, grants } = asked
  const offer = grants.find(({ scope }) => scope.kind === wish.scope)
  return {
    id: `g_${crypto.randomUUID().slice(0, 8)}`,
    tool,
    workspace,
    scope: offer?.scope ?? { kind: 'exact', digest: '' },
    text: offer?.text ?? '',
    answers: askedBy,
    madeAt: now,
    ...(wish.session && { session }),
    ...(wish.minutes !== undefined && { until: now + wish.minutes * 60_000 }),
    ...(wish.times !== undefined && { times: wish.times }),
    used: 0,
  }
}
