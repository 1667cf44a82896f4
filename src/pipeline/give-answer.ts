import type { ApprovalAnswer } from '../core/approval-record.ts'
import type { Question, Reply } from '../core/approvals.ts'
import type { Grant, Grants, GrantWish } from '../core/grant.ts'
import { messageOf } from '../core/result.ts'
import type { Store } from '../core/store.ts'

/** Where questions are asked and answered in this process. */
export interface Desk {
  readonly grants: Grants
  /** What is masked beyond the known looks of secrets. */
  readonly secrets: readonly RegExp[]
  /** How long a question waits. */
  readonly expireMinutes: number
  /** Those here who wait for an answer. */
  readonly waiting: Map<string, Set<() => void>>
}

/** What giving an answer needs of the house. */
export interface AnswerParts {
  readonly store: Store
  readonly desk: Desk
}

/** Gives the one answer a question gets, remembers the grant in it and wakes who waits; false when somebody was first. Throws UNAVAILABLE. */
export function giveAnswer(question: Question, answer: ApprovalAnswer, { store, desk }: AnswerParts): boolean {
  const { reply } = answer
  const taken = withoutBadGrant(question, reply)
  const won = store.answerApproval(question.approval, { ...answer, reply: taken })
  if (won && taken.approved === true && taken.grant) remember(desk, makeGrant(question, taken.grant, answer.at))
  for (const wake of desk.waiting.get(question.approval) ?? []) wake()
  return won
}

/** A yes that cannot be remembered is still a yes to this call. */
function remember({ grants }: Desk, grant: Grant): void {
  try {
    grants.add(grant)
  } catch (thrown) {
    process.emitWarning(`The answer counts, but it could not be remembered: ${messageOf(thrown)}`, 'HaftGrantsWarning')
  }
}

/** Hears at once when an answer is given in this process; returns how to stop. */
export function hearAnswer({ waiting }: Desk, approval: string, wake: () => void): () => void {
  const others = waiting.get(approval) ?? new Set()
  waiting.set(approval, others.add(wake))
  return () => {
    others.delete(wake)
    if (others.size === 0) waiting.delete(approval)
  }
}

/** Why the grant in a reply cannot be remembered; undefined when it can, or there is none. */
export function grantProblem({ grants }: Question, reply: Reply): string | undefined {
  if (!reply.approved || !reply.grant) return undefined
  const { scope, times, minutes } = reply.grant
  if (reply.modifiedArgs !== undefined) return 'changed arguments cannot be granted; they were not what was asked'
  if (!grants.some((offer) => offer.scope.kind === scope))
    return `there is no grant "${scope}" for this; there is ${grants.map((offer) => offer.scope.kind).join(', ') || 'none'}`
  if (times !== undefined && !(Number.isInteger(times) && times > 0)) return 'times must be a whole number above 0'
  if (minutes !== undefined && !(minutes > 0)) return 'minutes must be above 0'
  return undefined
}

function withoutBadGrant(question: Question, reply: Reply): Reply {
  if (grantProblem(question, reply) === undefined || !reply.approved) return reply
  const { grant: _, ...rest } = reply
  return rest
}

function makeGrant(question: Question, wish: GrantWish, now: number): Grant {
  const { tool, workspace, askedBy, session, grants } = question
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
