import { type ApprovalAnswer, BY_EXPIRY, type KeptQuestion } from '../core/approval-record.ts'
import type { Question, Reply } from '../core/approvals.ts'
import type { ClearedCall, PreparedCall } from '../core/call.ts'
import { type Failure, failure } from '../core/result.ts'
import { checkChanged } from './check-changed.ts'
import type { Judged } from './judge.ts'
import { makeQuestion } from './make-question.ts'
import type { Parts, Request } from './request.ts'
import { waitForAnswer } from './wait-for-answer.ts'

/** What a call leaves behind that must be put away when it has ended. */
export interface Trail {
  /** The question that was kept. */
  approval: string | undefined
}

/** A call at the door of the approve room, and what is known of it. */
export interface Asking {
  readonly request: Request
  readonly parts: Parts
  readonly judged: Judged
  readonly trail: Trail
}

/** A person's yes: what was asked about walks again before it counts. */
export interface Answered {
  readonly reply: Extract<Reply, { approved: true }>
  readonly input: unknown
  readonly digest: string
}

/** Lets an allowed call pass and asks about the others. A grant that is used up in this very moment asks too. */
export function approve(
  prepared: PreparedCall,
  asking: Asking,
): ClearedCall | Promise<ClearedCall | Answered | Failure> {
  const { decision, grant, rule } = prepared
  if (decision === 'allow' && (grant === undefined || asking.parts.desk.grants.use(grant))) return clear(prepared, rule)
  return askAbout(prepared, asking)
}

/** Passes a call that a person has said yes to, after it has walked again; with what was proposed where they changed it. */
export function approveAgain(prepared: PreparedCall, proposed?: unknown): ClearedCall {
  return clear(prepared, PERSON, proposed)
}

const PERSON = 'person'

function clear({ call, expects }: PreparedCall, clearedBy: string, proposed?: unknown): ClearedCall {
  return { ...call, clearedBy, expects, proposed } as ClearedCall
}

async function askAbout(prepared: PreparedCall, asking: Asking): Promise<ClearedCall | Answered | Failure> {
  const { parts, request } = asking
  const offers = request.decision === undefined && (request.approvals !== undefined || request.wait === true)
  const question = await makeQuestion(prepared, asking.judged, { parts, offers })
  const { session, call, approval, tool, arguments: args, effects, rule, reason, preview, unusual } = question
  const shown = { tool, arguments: args, effects, rule, reason, unusual, ...(preview && { preview }) }
  parts.emit({ type: 'approval-request', session, call, approval, ...shown })
  const answer = await findAnswer({ question, input: prepared.call.input, ...datesOf(parts) }, asking)
  const { reply, by } = answer
  parts.emit({ type: 'approval-answer', session, call, approval, reply, by })
  if (!reply.approved) return refused(question, answer, request.stop.wished)
  // Nobody looked at a preset answer's question, so no time has passed that things could change in.
  if (by === PRESET && reply.modifiedArgs === undefined) return clear(prepared, PERSON)
  return { reply, input: prepared.call.input, digest: question.digest }
}

function datesOf({ desk }: Parts): Pick<KeptQuestion, 'askedAt' | 'expiresAt'> {
  const askedAt = Date.now()
  return { askedAt, expiresAt: askedAt + Math.ceil(desk.expireMinutes * 60_000) }
}

const PRESET = 'preset'
const NOBODY = 'nobody'

async function findAnswer(kept: KeptQuestion, { request, parts, trail }: Asking): Promise<ApprovalAnswer> {
  const { decision, approvals: person, wait, stop } = request
  const at = kept.askedAt
  if (decision !== undefined) return { reply: decision, by: PRESET, at }
  if (person === undefined && !wait) return { reply: { approved: false }, by: NOBODY, at }
  await parts.store.keepQuestion(kept)
  trail.approval = kept.question.approval
  const check = async (changed: unknown) => (await checkChanged(changed, { request, input: kept.input }, parts))?.text
  return waitForAnswer(kept, { person, signal: stop.signal, check, parts })
}

/** What a call that got a no ends with. */
export function refused(question: Question, { reply, by }: ApprovalAnswer, isCancelled: boolean): Failure {
  const { tool, rule, reason: asked } = question
  if (isCancelled) return failure('CANCELLED', `${tool} was cancelled while it waited for an answer. Nothing was run.`)
  const nobody = by === NOBODY ? 'there is nobody to ask here' : by === BY_EXPIRY ? 'nobody answered' : undefined
  if (nobody !== undefined) {
    const text = `${tool} needs a person's approval (${asked}; rule ${rule}), and ${nobody}. Nothing was run.`
    return failure('DENIED', text, { details: { rule, reason: nobody } })
  }
  const reason = reply.approved ? undefined : reply.reason
  return failure('DENIED', `Denied by user${reason ? `: ${reason}` : ''}. ${tool} was not run.`, {
    details: { rule, ...(reason && { reason }) },
  })
}
