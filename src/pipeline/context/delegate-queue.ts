import { type Failure, failure, failureOf } from '../../core/call/result.ts'
import type { Event } from '../../core/session/event.ts'
import type { DelegateAnswer, DelegateQueue, OpenDelegate } from '../../core/tool/delegate.ts'
import { appendFirst } from '../inputs/append-first.ts'
import type { GiveParts } from '../inputs/give-input.ts'
import { readOpenCalls } from '../inputs/read-open-calls.ts'

/** Creates the queue that front ends answer requests to the app at. */
export function createDelegateQueue(parts: GiveParts): DelegateQueue {
  const { log } = parts.storage
  return {
    list: async () => findOpen(await readOpenCalls(log)).sort((a, b) => a.askedAt - b.askedAt),
    async answer(id, answer) {
      try {
        return await answerOne(id, answer, parts)
      } catch (thrown) {
        return failureOf(thrown)
      }
    },
  }
}

/** The requests among these events that have no answer. */
function findOpen(events: readonly Event[]): OpenDelegate[] {
  const open = new Map<string, OpenDelegate>()
  for (const event of events) {
    if (event.type === 'delegate-request') {
      const { delegate, session, call, effect, at } = event
      open.set(delegate, { delegate, session, call, effect, askedAt: at })
    } else if (event.type === 'delegate-answer') open.delete(event.delegate)
  }
  return [...open.values()]
}

async function answerOne(
  id: string,
  answer: DelegateAnswer,
  parts: GiveParts,
): Promise<{ readonly ok: true } | Failure> {
  const call = callOfDelegate(id)
  const { log } = parts.storage
  const [record] = await log.calls({ call, limit: 1 })
  const after = (record?.cursor ?? 1) - 1
  const events = record ? await log.read({ call }) : []
  if (!record || !events.some((event) => event.type === 'delegate-request' && event.delegate === id))
    return failure('FILE_NOT_FOUND', `There is no request ${JSON.stringify(id)} to an app.`)
  const isAnswer = (event: Event) => event.type === 'delegate-answer' && event.delegate === id
  const body = { type: 'delegate-answer', session: record.session, call, delegate: id, answer } as const
  const isOver = record.outcome !== null
  if (!isOver && (await appendFirst(body, { after, isAnswer }, parts))) return { ok: true }
  const why = isOver ? 'its call has ended' : 'it was answered before'
  return failure('CONFLICT', `The request ${id} can no longer be answered: ${why}.`)
}

/** Makes the id of a request of a call. */
export function makeDelegateId(call: string): string {
  return `d_${call}.${crypto.randomUUID().slice(0, 6)}`
}

function callOfDelegate(id: string): string {
  return id.replace(/^d_/, '').replace(/\.\w+$/, '')
}
