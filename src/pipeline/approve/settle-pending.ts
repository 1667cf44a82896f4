import type { ApprovalRecord } from '../../core/approval/approval-record.ts'
import { type Result, ToolError } from '../../core/call/result.ts'
import { answerRun } from '../../core/call/run-answer.ts'
import { boundAnswer } from '../normalise/normalise.ts'
import type { Parts } from '../request.ts'
import { refused } from './ask.ts'

/** Ends a call that has run and whose process is gone, by the answer that its request got: applies what it really changed, or discards it. Rejects with ToolError; on a CONFLICT nothing is applied. */
export async function settlePending(
  { request: asked, answer }: ApprovalRecord,
  { sandbox, storage }: Parts,
): Promise<Result> {
  if (!answer) throw new Error('the approval request has no answer')
  const { call } = asked
  if (answer.reply.approved !== true) {
    await sandbox.pending?.discard(call)
    return refused(asked, answer, false)
  }
  if (sandbox.pending === undefined)
    throw new ToolError('UNAVAILABLE', `The changes of ${call} are not kept here. Nothing was applied.`)
  try {
    return await boundAnswer(call, answerRun(await sandbox.pending.apply(call)), storage.outputs)
  } catch (thrown) {
    // Its request is answered and ends with the call, so nobody could decide about the changes any more.
    await sandbox.pending.discard(call)
    throw thrown
  }
}
