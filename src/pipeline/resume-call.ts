import type { ApprovalRecord } from '../core/approval-record.ts'
import { failureOf, isFailure, type Result } from '../core/result.ts'
import { type Answered, type Asker, refused } from './approve.ts'
import { keepEnd } from './ledger.ts'
import { contextOf, type Parts, type Request } from './request.ts'
import { runCleared, settleTrail } from './run-call.ts'
import { walkAnswered } from './walk-answered.ts'

/** Brings a call that was asked about to its end, in place of the process that asked and is gone. To be called once it was adopted; never throws. */
export async function resumeCall(
  { question, input, askedAt, answer }: ApprovalRecord,
  request: Request,
  parts: Parts,
): Promise<Result> {
  const { session, call, approval, digest } = question
  const asker: Asker = { request, parts, trail: { approval } }
  let result: Result
  try {
    if (!answer) throw new Error('the question has no answer')
    const { reply, by } = answer
    parts.emit({ type: 'approval-answer', session, call, approval, reply, by })
    result = reply.approved ? await runAnswered({ reply, input, digest }, asker) : refused(question, answer, false)
  } catch (thrown) {
    result = failureOf(thrown)
  }
  parts.emit({ type: 'call-end', session, call, result, duration: Date.now() - askedAt })
  await keepEnd(parts.store)
  settleTrail(asker)
  return result
}

async function runAnswered(answered: Answered, asker: Asker): Promise<Result> {
  const { request, parts } = asker
  const context = contextOf(request, parts)
  const cleared = await walkAnswered(answered, request, { parts, context })
  return isFailure(cleared) ? cleared : runCleared(cleared, { ...asker, context })
}
