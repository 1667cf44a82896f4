import type { ClearedCall } from '../../core/call/call.ts'
import { failure, ToolError } from '../../core/call/result.ts'
import type { ReviewedChange } from '../../core/ports/sandbox.ts'
import type { CallRun } from '../call-run.ts'
import { ask, HAS_RUN, refused } from './ask.ts'
import { makeChangeRequest } from './make-request.ts'

/** Makes the function that asks whether what a command really changed may be applied. It resolves on a yes and otherwise rejects with ToolError. The time limit is paused meanwhile. A call has one request at a time. */
export function createConfirm(cleared: ClearedCall, run: CallRun): (change: ReviewedChange) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  return (change) => {
    const turn = last.then(() => confirmChange(change, cleared, run))
    last = turn.catch(() => undefined)
    return turn
  }
}

async function confirmChange(change: ReviewedChange, cleared: ClearedCall, run: CallRun): Promise<void> {
  const { request } = run
  const asked = makeChangeRequest(cleared, change, run)
  const answer = await request.stop.hold(ask(asked, run, NEVER_REPEATED))
  const { reply } = answer
  if (request.stop.isCancelled)
    throw new ToolError('CANCELLED', 'It was waiting for an approval; none of its changes were applied.')
  if (reply.approved === true && reply.modifiedArgs === undefined) return
  const { code, text, details } = refused(asked, answer, false)
  throw new ToolError(code, text, { details: { ...details, changes: asked.effects } })
}

/** The stages for changed arguments. They refuse, because a command that has run cannot be repeated. */
const NEVER_REPEATED = () => failure('UNAVAILABLE', HAS_RUN)
