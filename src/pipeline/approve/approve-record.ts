import type { ApprovalRecord } from '../../core/approval/approval-record.ts'
import type { ClearedCall } from '../../core/call/call.ts'
import type { Failure } from '../../core/call/result.ts'
import type { BeforeApproval, CallRun } from '../call-run.ts'
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
  return proceed(clearAnswered(answered, run, repeat), ({ call, proposed }) =>
    clear(call, nameAnswerer(answer), proposed),
  )
}
