import type { ClearedCall } from '../../core/call/call.ts'
import { ToolError } from '../../core/call/result.ts'
import type { TrustedChange } from '../../core/ports/sandbox.ts'
import { type Asker, ask, refused } from './approve.ts'
import { makeChangeQuestion } from './make-request.ts'

/** Makes what asks whether a command's changes to files that other programs trust may be applied. Resolves on a yes, rejects with ToolError else; the time limit is held meanwhile. A call has one question at a time. */
export function createConfirm(cleared: ClearedCall, asker: Asker): (change: TrustedChange) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  return (change) => {
    const turn = last.then(() => confirmChange(change, cleared, asker))
    last = turn.catch(() => undefined)
    return turn
  }
}

async function confirmChange(change: TrustedChange, cleared: ClearedCall, asker: Asker): Promise<void> {
  const { request, parts } = asker
  const question = makeChangeQuestion(cleared, change, parts)
  const answer = await request.stop.hold(ask(question, cleared, asker))
  const { reply } = answer
  if (request.stop.isCancelled)
    throw new ToolError('CANCELLED', 'It waited for a person’s answer; none of its changes were applied.')
  if (reply.approved === true && reply.modifiedArgs === undefined) return
  const { code, text, details } = refused(question, answer, false)
  throw new ToolError(code, text, { details: { ...details, changes: question.effects } })
}
