import { BY_PROGRAM } from '../../core/approval/approval-record.ts'
import { type Failure, failure, failureOf } from '../../core/call/result.ts'
import type { InputQueue, OpenInput } from '../../core/input/input.ts'
import type { Event } from '../../core/session/event.ts'
import { type GiveParts, giveInput } from './give-input.ts'
import { readOpenCalls } from './read-open-calls.ts'

/** Creates the queue that front ends answer questions at. */
export function createInputQueue(parts: GiveParts): InputQueue {
  const { log } = parts.storage
  return {
    list: async () => findOpen(await readOpenCalls(log)).sort((a, b) => a.askedAt - b.askedAt),
    async answer(id, answer, by = BY_PROGRAM) {
      try {
        return await answerOne(id, { answer, by }, parts)
      } catch (thrown) {
        return failureOf(thrown)
      }
    },
  }
}

/** The questions among these events that have no answer. */
function findOpen(events: readonly Event[]): OpenInput[] {
  const open = new Map<string, OpenInput>()
  for (const event of events) {
    if (event.type === 'input-request') {
      const { input, session, call, question, options, at } = event
      open.set(input, { input, session, call, question, ...(options && { options }), askedAt: at })
    } else if (event.type === 'input-answer') open.delete(event.input)
  }
  return [...open.values()]
}

async function answerOne(
  id: string,
  given: { readonly answer: string; readonly by: string },
  parts: GiveParts,
): Promise<{ readonly ok: true } | Failure> {
  if (typeof given.answer !== 'string') return failure('INVALID_ARGUMENTS', `The answer to ${id} must be a text.`)
  const call = id.replace(/^i_/, '').replace(/\.\w+$/, '')
  const [record] = await parts.storage.log.calls({ call, limit: 1 })
  const after = (record?.cursor ?? 1) - 1
  const events = record ? await parts.storage.log.read({ session: record.session, after }) : []
  if (!record || !events.some((event) => event.type === 'input-request' && event.input === id))
    return failure('FILE_NOT_FOUND', `There is no question ${JSON.stringify(id)}.`)
  const isOver = record.outcome !== null
  if (!isOver && (await giveInput({ session: record.session, call, input: id, after }, given, parts)))
    return { ok: true }
  const why = isOver ? 'its call has ended' : 'it was answered before'
  return failure('CONFLICT', `The question ${id} can no longer be answered: ${why}.`)
}
