import type { Approvals, Question, Reply } from '../core/approvals.ts'
import type { ClearedCall, PreparedCall } from '../core/call.ts'
import type { EventBody } from '../core/event.ts'
import { type Failure, failure, messageOf } from '../core/result.ts'
import type { Stop } from './stop.ts'

/** Who answers a question: a decision made before the call, somebody who can be asked, or nobody. */
export interface Answerer {
  readonly decision: Reply | undefined
  readonly approvals: Approvals | undefined
  readonly stop: Stop
  /** What the call would do, in words. */
  readonly effects: readonly string[]
  emit(body: EventBody): void
}

/** Arguments a person put in place of the proposed ones: they walk through every room again. */
export interface Changed {
  readonly changed: unknown
}

/** Lets an allowed call pass and asks about the others. */
export function approve(
  prepared: PreparedCall,
  answerer: Answerer,
): ClearedCall | Promise<ClearedCall | Changed | Failure> {
  if (prepared.decision === 'allow') return clear(prepared, prepared.rule)
  return askAbout(prepared, answerer)
}

/** Passes a call that a person has already said yes to, in the very form they gave it. */
export function approveChanged(prepared: PreparedCall): ClearedCall {
  return clear(prepared, 'person')
}

function clear({ call, expects }: PreparedCall, clearedBy: string): ClearedCall {
  return { ...call, clearedBy, expects } as ClearedCall
}

async function askAbout(prepared: PreparedCall, answerer: Answerer): Promise<ClearedCall | Changed | Failure> {
  const question = makeQuestion(prepared, answerer.effects)
  const { tool, session, call, ...asked } = question
  answerer.emit({ type: 'approval-request', session, call, tool, ...asked })
  const reply = await findReply(question, answerer)
  answerer.emit({ type: 'approval-answer', session, call, approval: question.approval, reply })
  if (!reply.approved) return denied(question, reply.reason, answerer)
  return reply.modifiedArgs === undefined ? clear(prepared, 'person') : { changed: reply.modifiedArgs }
}

function makeQuestion({ call, rule, reason, preview }: PreparedCall, effects: readonly string[]): Question {
  return {
    approval: `a_${call.id}`,
    call: call.id,
    session: call.session,
    tool: call.entry.tool.name,
    arguments: call.input,
    effects,
    rule,
    reason,
    ...(preview && { preview }),
  }
}

const NOBODY = 'there is nobody to ask here'

async function findReply(question: Question, { decision, approvals, stop }: Answerer): Promise<Reply> {
  if (decision !== undefined) return decision
  if (approvals === undefined) return { approved: false, reason: NOBODY }
  try {
    return await Promise.race([approvals.ask(question, stop.signal), whenAborted(stop.signal)])
  } catch (thrown) {
    return { approved: false, reason: `the question could not be asked: ${messageOf(thrown)}` }
  }
}

function whenAborted(signal: AbortSignal): Promise<Reply> {
  const reply: Reply = { approved: false, reason: 'the call was cancelled while it waited for an answer' }
  return new Promise((resolve) => {
    if (signal.aborted) resolve(reply)
    signal.addEventListener('abort', () => resolve(reply), { once: true })
  })
}

function denied(question: Question, reason: string | undefined, { stop }: Answerer): Failure {
  if (stop.wished)
    return failure('CANCELLED', `${question.tool} was cancelled while it waited for an answer. Nothing was run.`)
  if (reason === NOBODY) {
    return failure(
      'DENIED',
      `${question.tool} needs a person's approval (${question.reason}; rule ${question.rule}), and ${NOBODY}. Nothing was run.`,
      {
        details: { rule: question.rule },
      },
    )
  }
  return failure('DENIED', `Denied by user${reason ? `: ${reason}` : ''}. ${question.tool} was not run.`, {
    details: { rule: question.rule, ...(reason && { reason }) },
  })
}
