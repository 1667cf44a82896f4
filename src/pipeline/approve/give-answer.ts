import type { ApprovalRequest, Reply } from '../../core/approval/approval.ts'
import type { ApprovalAnswer, KeptRequest } from '../../core/approval/approval-record.ts'
import type { Grant, GrantChoice, Grants } from '../../core/approval/grant.ts'
import { messageOf } from '../../core/call/result.ts'
import { agentsOfJob } from '../../core/plans/agent-ids.ts'
import type { StoredAnswer } from '../../core/ports/approval-store.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { isSameJson } from '../../core/text/json.ts'

/** What giving an answer needs. */
export interface AnswerParts {
  readonly storage: Storage
  readonly grants: Grants
}

/** Stores the only answer of a request, and its grant. `adopt` as in the port. Resolves to undefined if the request was already answered. Rejects with UNAVAILABLE. */
export async function giveAnswer(
  asked: ApprovalRequest,
  answer: ApprovalAnswer,
  { storage, grants, adopt = false }: AnswerParts & { readonly adopt?: boolean },
): Promise<StoredAnswer | undefined> {
  const taken = withoutBadGrant(asked, answer.reply)
  const stored = await storage.approvals.answer(asked.approval, { ...answer, reply: taken }, { adopt })
  if (stored && taken.approved === true && taken.grant) await remember(grants, makeGrant(asked, taken.grant, answer.at))
  return stored
}

/** Returns a reply as a plain yes where its arguments are those of the call, as they were shown or as they were sent. */
export function withoutSameArguments({ request, input }: Pick<KeptRequest, 'request' | 'input'>, reply: Reply): Reply {
  if (!reply.approved || reply.modifiedArgs === undefined) return reply
  const { modifiedArgs, ...plain } = reply
  const isSame = [request.sent ?? request.arguments, input].some((one) => isSameJson(modifiedArgs, one))
  return isSame ? plain : reply
}

/** Stores the grant of an answer. If that fails, the approval still holds for this call. */
async function remember(grants: Grants, grant: Grant): Promise<void> {
  try {
    await grants.add(grant)
  } catch (thrown) {
    process.emitWarning(
      `The answer is accepted for this call, but the grant could not be saved: ${messageOf(thrown)}`,
      'HaftGrantsWarning',
    )
  }
}

/** Returns why the grant in a reply is invalid; undefined if it is valid or there is none. */
export function grantProblem({ grants, session }: ApprovalRequest, reply: Reply): string | undefined {
  if (!reply.approved || !reply.grant) return undefined
  const { scope, times, minutes, within } = reply.grant
  if (reply.modifiedArgs !== undefined)
    return 'changed arguments cannot be combined with a grant, because the grant would cover another call'
  if (!grants.some((offer) => offer.scope.kind === scope))
    return `the grant "${scope}" is not offered for this call; offered: ${grants.map((offer) => offer.scope.kind).join(', ') || 'none'}`
  if (within !== undefined && agentsOfJob(session) === undefined)
    return `a grant within a ${within} can be given only to a job of a plan`
  if (times !== undefined && !(Number.isInteger(times) && times > 0)) return 'times must be a whole number above 0'
  if (minutes !== undefined && !(minutes > 0)) return 'minutes must be above 0'
  return undefined
}

function withoutBadGrant(asked: ApprovalRequest, reply: Reply): Reply {
  if (grantProblem(asked, reply) === undefined || !reply.approved) return reply
  const { grant: _, ...rest } = reply
  return rest
}

/** The session, job or plan that a grant is limited to. */
function limitedTo({ session: isInSession, within }: GrantChoice, session: string): Pick<Grant, 'session'> {
  const job = agentsOfJob(session)
  if (within !== undefined && job !== undefined) return { session: within === 'job' ? job : job.replace(/\.\d+$/, '') }
  return isInSession || within !== undefined ? { session } : {}
}

function makeGrant(asked: ApprovalRequest, choice: GrantChoice, now: number): Grant {
  const { tool, workspace, askedBy, session, grants } = asked
  const offer = grants.find(({ scope }) => scope.kind === choice.scope)
  return {
    id: `g_${crypto.randomUUID().slice(0, 8)}`,
    tool,
    workspace,
    scope: offer?.scope ?? { kind: 'exact', digest: '' },
    text: offer?.text ?? '',
    answers: askedBy,
    madeAt: now,
    ...limitedTo(choice, session),
    ...(choice.minutes !== undefined && { until: now + choice.minutes * 60_000 }),
    ...(choice.times !== undefined && { times: choice.times }),
    used: 0,
  }
}
