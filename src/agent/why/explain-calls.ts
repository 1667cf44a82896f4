import type { Event } from '../../core/session/event.ts'
import type { MessageCall } from '../../core/session/message.ts'
import type { WhyFinding } from './finding.ts'

type CallEnd = Extract<Event, { type: 'call-end' }>
type RunEnd = Extract<Event, { type: 'run-end' }>

/** Says what became of each call, in the order in which the model made them. */
export function explainCalls(calls: readonly MessageCall[], events: readonly Event[]): WhyFinding[] {
  return calls.map(({ call }) => ({ call, ...explainCall(call, events) }))
}

function explainCall(call: string, events: readonly Event[]): WhyFinding {
  const own = events.filter((event) => 'call' in event && event.call === call)
  const end = own.find((event): event is CallEnd => event.type === 'call-end')
  if (own.length === 0) return explainUnstarted(call, events)
  if (end === undefined) return explainUnfinished(own)
  const { result } = end
  if (!result.ok && result.code === 'BLOCKED') return explainBlock(own, result.text)
  if (!result.ok && result.code === 'DENIED') return explainDenial(own, result.text)
  const at = events.indexOf(end)
  const isSent = events.slice(at).some((event) => event.type === 'message' && event.role === 'assistant')
  if (!isSent) return explainUnsent(events.slice(at))
  if (!result.ok) return { cause: 'failed', text: `The call failed with ${result.code}: ${result.text}` }
  const isFolded = events.some((event) => event.type === 'context-folded' && event.outputs?.includes(call) === true)
  if (isFolded)
    return {
      cause: 'folded',
      text: 'It ran and the model was sent the result, but later a short note in its place, to fit the context window. The model can read it again with read_output.',
    }
  return {
    cause: 'used',
    text: 'It ran and the model was sent the result. The log does not show whether the model used it.',
  }
}

/** The message that holds the call was logged, the call was not started. */
function explainUnstarted(call: string, events: readonly Event[]): WhyFinding {
  const at = events.findIndex((event) => event.type === 'message' && event.calls?.some((one) => one.call === call))
  const end = nextEnd(events.slice(at))
  if (end?.reason === 'complete')
    return {
      cause: 'not-run',
      text: 'The call came after task_complete in the same reply. Calls after task_complete are not run.',
    }
  return { cause: 'unfinished', text: 'The model made the call, but the run ended before it was started.' }
}

function explainUnfinished(own: readonly Event[]): WhyFinding {
  const asked = own.findLast((event) => event.type === 'approval-request')
  const isAnswered = own.some((event) => event.type === 'approval-answer')
  const text =
    asked?.type === 'approval-request' && !isAnswered
      ? `The call waits for approval. Answer with: haft approvals ${asked.approval} yes|no`
      : 'The call has no result: it still runs, or its process ended.'
  return { cause: 'unfinished', text }
}

function explainBlock(own: readonly Event[], text: string): WhyFinding {
  const judged = own.findLast((event) => event.type === 'call-judged')
  if (judged?.type !== 'call-judged') return { cause: 'blocked', text: `The call was blocked: ${text}` }
  return { cause: 'blocked', text: `The call was blocked by the rule ${judged.rule}: ${judged.reason}` }
}

function explainDenial(own: readonly Event[], text: string): WhyFinding {
  const answer = own.findLast((event) => event.type === 'approval-answer')
  if (answer?.type !== 'approval-answer') return { cause: 'denied', text: `The call was denied: ${text}` }
  const { reply, by } = answer
  if (by === 'nobody')
    return {
      cause: 'denied',
      text: 'The call needs approval and nobody could be asked. Run it in a terminal, with --yes, or with --wait.',
    }
  const reason = !reply.approved && reply.reason ? `: ${reply.reason}` : ''
  return { cause: 'denied', text: `The call was denied by ${by}${reason}` }
}

/** The call ended and no reply came after it. */
function explainUnsent(after: readonly Event[]): WhyFinding {
  const end = nextEnd(after)
  if (end?.reason === 'limit')
    return {
      cause: 'step-limit',
      text: `The call ran, but the run was cut off after ${end.steps} steps, before the model was sent the result. Raise --max-steps, or go on with --continue.`,
    }
  const why = end === undefined ? 'the run has not gone on since, or its process ended' : WHY[end.reason]
  return { cause: 'not-sent', text: `The call ran, but the model was not sent the result: ${why}.` }
}

const WHY: Readonly<Record<RunEnd['reason'], string>> = {
  complete: 'the run ended with task_complete in the same reply',
  reply: 'the run ended',
  limit: 'the run was cut off by its step limit',
  loop: 'the run was stopped, since the model repeated itself',
  cancelled: 'the run was stopped by a person or a program',
  failed: 'the next request to the model failed',
}

function nextEnd(events: readonly Event[]): RunEnd | undefined {
  return events.find((event): event is RunEnd => event.type === 'run-end')
}
