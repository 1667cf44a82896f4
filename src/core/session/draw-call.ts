import type { Event } from './event.ts'
import type { ApprovalView, CallItem, RequestView } from './session-view.ts'

/** Returns the changes that an event makes to its call. */
export function changeCall(item: CallItem, event: Extract<Event, { call: string }>): Partial<CallItem> {
  switch (event.type) {
    case 'call-repaired':
      return { repairs: [...item.repairs, ...event.repairs] }
    case 'call-judged':
      return {
        ...{ decision: event.decision, rule: event.rule, reason: event.reason },
        ...('arguments' in event && { arguments: event.arguments }),
      }
    case 'approval-request': {
      const { approval, reason, effects, unusual, preview } = event
      const asked: ApprovalView = { approval, reason, effects, unusual, ...(preview && { preview }) }
      return { state: 'waiting', approvals: [...item.approvals.filter((one) => one.approval !== approval), asked] }
    }
    case 'approval-answer':
      return { state: 'queued', approvals: item.approvals.map((asked) => answered(asked, event)) }
    case 'call-run':
      return {
        state: 'running',
        clearedBy: event.clearedBy,
        ...('arguments' in event && { arguments: event.arguments, proposed: item.arguments }),
      }
    case 'call-problem':
      return { problems: [...item.problems, event.text] }
    case 'task-port':
      return { ports: [...(item.ports ?? []), { inside: event.inside, url: event.url }] }
    case 'task-start':
      return { isTask: true, state: item.state === 'started' ? 'queued' : item.state }
    case 'input-request':
      return { requests: [...item.requests, questionOf(event)] }
    case 'input-answer':
      return { requests: withAnswer(item.requests, event.input, event.answer) }
    case 'delegate-request':
      return { requests: [...item.requests, { id: event.delegate, kind: 'delegate', asked: event.effect }] }
    case 'delegate-answer':
      return { requests: withAnswer(item.requests, event.delegate, event.answer) }
    default:
      return {}
  }
}

function answered(
  asked: ApprovalView,
  { approval, reply, by }: Extract<Event, { type: 'approval-answer' }>,
): ApprovalView {
  if (asked.approval !== approval) return asked
  const reason = reply.approved ? undefined : reply.reason
  const edited = reply.approved && 'modifiedArgs' in reply ? ({ isEdited: true } as const) : {}
  const answer = { approved: reply.approved === true, by, ...(reason !== undefined && { reason }), ...edited }
  return { ...asked, answer }
}

function questionOf({ input, question, options }: Extract<Event, { type: 'input-request' }>): RequestView {
  return { id: input, kind: 'input', asked: question, ...(options && { options }) }
}

function withAnswer(requests: readonly RequestView[], id: string, answer: unknown): readonly RequestView[] {
  return requests.map((request) => (request.id === id && !('answer' in request) ? { ...request, answer } : request))
}
