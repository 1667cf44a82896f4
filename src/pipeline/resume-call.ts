import type { ApprovalRecord } from '../core/approval/approval-record.ts'
import { failureOf, isFailure, type Result } from '../core/call/result.ts'
import { nameAnswerer, refused } from './approve/approve.ts'
import { CallContext } from './execute/call-context.ts'
import { keepEnd } from './execute/ledger.ts'
import { boundFailure } from './normalise/normalise.ts'
import type { Parts, Request } from './request.ts'
import { runCleared } from './run-call.ts'
import { putAway, settleTrail, type Way } from './trail.ts'
import { walkAnswered } from './walk-answered.ts'

/** Brings a call that was asked about to its end, in place of the process that asked and is gone. To be called once it was adopted; never throws. */
export async function resumeCall(
  { question, input, askedAt, answer }: ApprovalRecord,
  request: Request,
  parts: Parts,
): Promise<Result> {
  const { session, call, approval, digest } = question
  const trail = { approval, claim: undefined }
  const way: Way = { request, parts, trail, context: new CallContext(request, parts) }
  let result: Result
  try {
    if (!answer) throw new Error('the question has no answer')
    const { reply } = answer
    const clearedBy = nameAnswerer(answer)
    result =
      reply.approved === true
        ? await runAnswered({ reply, input, digest, clearedBy }, way)
        : refused(question, answer, false)
  } catch (thrown) {
    result = failureOf(thrown)
  }
  if (!result.ok) result = await boundFailure(call, result, parts.storage.outputs)
  await putAway(result, way)
  parts.emit({ type: 'call-end', session, call, result, duration: Date.now() - askedAt })
  await keepEnd(parts.storage)
  await settleTrail(way)
  request.stop.end()
  return result
}

async function runAnswered(answered: Parameters<typeof walkAnswered>[0], way: Way): Promise<Result> {
  const cleared = await walkAnswered(answered, way)
  return isFailure(cleared) ? cleared : runCleared(cleared, way)
}
