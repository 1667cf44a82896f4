import type { ApprovalRecord } from '../../core/approval/approval-record.ts'
import type { ClearedCall } from '../../core/call/call.ts'
import { type Failure, type Result, ToolError } from '../../core/call/result.ts'
import { answerRun } from '../../core/call/run-answer.ts'
import type { BeforeApproval, CallRun } from '../call-run.ts'
import { boundAnswer } from '../normalise/normalise.ts'
import type { Parts } from '../request.ts'
import { proceed } from '../stage.ts'
import { clear, nameAnswerer } from './approve.ts'
import { refused } from './ask.ts'
import { clearAnswered } from './clear-answered.ts'

/** Clears a call by the stored answer to its approval request, in place of the process that asked and has died. */
export async function approveRecord(
  { request: asked, input, answer }: ApprovalRecord,
  run: CallRun,
  repeat: BeforeApproval,
): Promise<ClearedCall | Failure> {
  if (!answer) throw new Error('the approval request has no answer')
  const { reply } = answer
  if (reply.approved !== true) return refused(asked, answer, false)
  const answered = { reply, input, digest: asked.digest }
  return proceed(
    clearAnswered(answered, run, repeat),
    ({ call, proposed }) => clear(call, nameAnswerer(answer), proposed),
    run,
  )
}

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
