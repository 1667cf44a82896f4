import type { Question, Reply, Trials } from '../../core/approval/approval.ts'
import {
  type ApprovalAnswer,
  BY_APPROVER,
  BY_EXPIRY,
  BY_PROGRAM,
  type KeptQuestion,
} from '../../core/approval/approval-record.ts'
import type { ClearedCall, PreparedCall, ValidCall } from '../../core/call/call.ts'
import { type Failure, failure } from '../../core/call/result.ts'
import { CallContext } from '../execute/call-context.ts'
import type { Judged } from '../judge/judge.ts'
import type { Parts, Request } from '../request.ts'
import { Stop } from '../stopping/stop.ts'
import type { Trail } from '../trail.ts'
import { checkChanged } from './check-changed.ts'
import { rehearseCall } from './dry-run.ts'
import { makeQuestion } from './make-request.ts'
import { waitForAnswer } from './wait-for-answer.ts'

/** In whose name a question is asked, and who is there to answer it. */
export interface Asker {
  readonly request: Request
  readonly parts: Parts
  readonly trail: Trail
}

/** A person's yes, which counts once it was checked that what was asked about is still the same. */
export interface Answered {
  /** The call as it waited in this process; undefined where another process asked. */
  readonly prepared?: PreparedCall
  readonly reply: Extract<Reply, { approved: true }>
  /** The arguments as they were sent: they are parsed again. */
  readonly input: unknown
  readonly digest: string
  /** As in `ClearedCall`. */
  readonly clearedBy: string
}

/** Lets an allowed call pass and asks about the others. A grant that is used up in this very moment asks too. */
export function approve(
  prepared: PreparedCall,
  judged: Judged,
  asker: Asker,
): ClearedCall | Promise<ClearedCall | Answered | Failure> {
  const { decision, grant } = prepared
  if (decision === 'ask') return askAbout(prepared, judged, asker)
  if (grant === undefined) return clear(prepared, nameRule(prepared))
  return asker.parts.desk.grants
    .use(grant)
    .then((isUsed) => (isUsed ? clear(prepared, nameRule(prepared)) : askAbout(prepared, judged, asker)))
}

/** Passes a call that was answered with yes, once it was checked again; with what was proposed where the answer changed it. */
export function approveAgain(prepared: PreparedCall, clearedBy: string, proposed?: unknown): ClearedCall {
  return clear(prepared, clearedBy, proposed)
}

/** Names what allows a call that nobody is asked about. */
function nameRule({ grant, rule, settledBy }: PreparedCall): string {
  if (grant !== undefined) return `grant ${grant}`
  if (settledBy === 'rule') return `rule ${rule}`
  return settledBy === 'default' ? `default (${rule})` : rule
}

/** Names who allowed a call by answering: a person, unless it may be none. */
export function nameAnswerer({ by }: Pick<ApprovalAnswer, 'by'>): string {
  return by === BY_PROGRAM || by === BY_APPROVER ? by : `person (${by})`
}

function clear({ call, expects, needsNetwork }: PreparedCall, clearedBy: string, proposed?: unknown): ClearedCall {
  const { id, session, entry, arguments: given, input, shown } = call
  return {
    id,
    session,
    entry,
    arguments: given,
    input,
    shown,
    clearedBy,
    expects,
    needsNetwork,
    proposed,
  } as ClearedCall
}

async function askAbout(
  prepared: PreparedCall,
  judged: Judged,
  asker: Asker,
): Promise<ClearedCall | Answered | Failure> {
  const { parts, request } = asker
  const offers = request.decision === undefined && (request.approver !== undefined || request.wait === true)
  const question = await makeQuestion(prepared, judged, { parts, offers })
  const answer = await ask(question, prepared.call, asker)
  const { reply, by } = answer
  if (reply.approved !== true) return refused(question, answer, request.stop.isCancelled)
  const isPreset = request.decision !== undefined
  const clearedBy = isPreset ? by : nameAnswerer(answer)
  // Nobody looked at a preset answer's question, so no time has passed that things could change in.
  if (isPreset && reply.modifiedArgs === undefined) return clear(prepared, clearedBy)
  return { reply, input: prepared.call.arguments, digest: question.digest, clearedBy, prepared }
}

/** Asks whoever there is: the preset answer, the approver here, or another interface. Logged; resolves to the answer, which is a no where there is nobody. */
export async function ask(question: Question, about: ValidCall, asker: Asker): Promise<ApprovalAnswer> {
  const { parts, request } = asker
  const kept = { question, input: about.arguments, ...datesOf(parts) }
  const { decision, decidedBy = BY_PROGRAM, approver, wait } = request
  if (decision !== undefined) return answerAtOnce(kept, { reply: decision, by: decidedBy }, parts)
  if (approver === undefined && !wait) return answerAtOnce(kept, { reply: { approved: false }, by: NOBODY }, parts)
  return waitForPerson(kept, about, asker)
}

function emitRequest({ question }: KeptQuestion, { emit }: Parts): void {
  const { session, call, approval, tool, arguments: args, effects, rule, reason, preview, unusual } = question
  const shown = { tool, arguments: args, effects, rule, reason, unusual, ...(preview && { preview }) }
  emit({ type: 'approval-request', session, call, approval, ...shown })
}

/** An answer that is known beforehand is logged as any other, and nobody waits for it. */
function answerAtOnce(kept: KeptQuestion, given: Omit<ApprovalAnswer, 'at'>, parts: Parts): ApprovalAnswer {
  const { session, call, approval } = kept.question
  emitRequest(kept, parts)
  parts.emit({ type: 'approval-answer', session, call, approval, ...given })
  return { ...given, at: kept.askedAt }
}

function datesOf({ desk }: Parts): Pick<KeptQuestion, 'askedAt' | 'expiresAt'> {
  const askedAt = Date.now()
  return { askedAt, expiresAt: askedAt + Math.ceil(desk.expireMinutes * 60_000) }
}

const NOBODY = 'nobody'

async function waitForPerson(kept: KeptQuestion, about: ValidCall, asker: Asker): Promise<ApprovalAnswer> {
  const { request, parts, trail } = asker
  const { approvals, log } = parts.storage
  if (!kept.question.hasRun) trail.claim?.release()
  if (trail.approval !== undefined) await approvals.settle(trail.approval)
  const after = await log.end()
  // Together, so that whoever follows the log finds the request that the event tells of.
  emitRequest(kept, parts)
  await approvals.ask(kept)
  trail.approval = kept.question.approval
  const trials = kept.question.hasRun ? AFTER_THE_RUN : trialsOf(about, asker)
  const { approver, stop } = request
  return waitForAnswer(kept, { approver, signal: stop.signal, trials, after, parts })
}

function trialsOf(call: ValidCall, { request, parts }: Asker): Trials {
  return {
    check: async (changed) => (await checkChanged(changed, { request, input: call.arguments }, parts))?.text,
    async rehearse(signal) {
      const stop = new Stop()
      stop.follow(signal)
      try {
        return await rehearseCall(call, new CallContext({ ...request, stop }, parts))
      } finally {
        stop.end()
      }
    },
  }
}

/** Why other arguments are not taken for a command that has run. */
export const HAS_RUN = 'the command has run already; its changes can be applied or not, and nothing else.'

const AFTER_THE_RUN: Trials = {
  check: async () => HAS_RUN,
  rehearse: async () => failure('UNAVAILABLE', HAS_RUN),
}

/** What a call that got a no ends with. */
export function refused(question: Question, { reply, by }: ApprovalAnswer, isCancelled: boolean): Failure {
  const { tool, rule, reason: asked, hasRun } = question
  const nothing = hasRun ? 'None of its changes were applied.' : 'Nothing was run.'
  if (isCancelled) return failure('CANCELLED', `${tool} was cancelled while it waited for an answer. ${nothing}`)
  const nobody = by === NOBODY ? 'there is nobody to ask here' : by === BY_EXPIRY ? 'nobody answered' : undefined
  if (nobody !== undefined) {
    const needs = hasRun ? 'has run and needs' : 'needs'
    const text = `${tool} ${needs} a person's approval (${asked}; rule ${rule}), and ${nobody}. ${nothing}`
    return failure('DENIED', text, { details: { rule, reason: nobody } })
  }
  const reason = reply.approved ? undefined : reply.reason
  const fate = hasRun ? `${tool} has run; ${asked}. ${nothing}` : `${tool} was not run.`
  return failure('DENIED', `Denied by user${reason ? `: ${reason}` : ''}. ${fate}`, {
    details: { rule, ...(reason && { reason }) },
  })
}
