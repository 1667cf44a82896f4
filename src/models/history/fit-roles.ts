import type { ModelAbilities, ModelMessage } from '../../core/ports/model.ts'
import type { Message } from '../../core/session/message.ts'
import { isRecord } from '../../core/text/json.ts'

/** The messages as the prompt template of a model takes them: without empty replies, which many servers refuse, without a system message where it has no place for one, with one call a message where it shows no more, and in turns where it refuses two messages of one role in a row. */
export function fitRoles(messages: readonly ModelMessage[], known: ModelAbilities): readonly ModelMessage[] {
  const spoken = messages.filter((message) => message.role !== 'assistant' || message.content !== '' || message.calls)
  const single = known.singleCalls ? splitCalls(spoken) : spoken
  const placed = known.systemRole === false ? moveSystem(single) : single
  return known.alternates || known.systemRole === false ? takeTurns(placed) : placed
}

/** Each call gets a message of its own, with its result behind it: templates without parallel calls refuse the others, or leave them out without a word. */
function splitCalls(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const resultOf = (id: string) => messages.filter((message) => message.role === 'tool' && message.call === id)
  const split = new Set<string>()
  return messages.flatMap((message): readonly ModelMessage[] => {
    if (message.role === 'tool') return split.has(message.call) ? [] : [message]
    const { calls = [] } = message
    if (calls.length < 2) return [message]
    return calls.flatMap((call, at) => {
      split.add(call.call)
      const first = at === 0 ? message : { role: message.role, content: '' }
      return [{ ...first, calls: [call], wire: wireOfCall(message.wire, at) }, ...resultOf(call.call)]
    })
  })
}

/** The opaque data of a message that belongs to one of its calls; what belongs to the message goes with the first. */
function wireOfCall(wire: unknown, at: number): unknown {
  if (!isRecord(wire)) return undefined
  const own = Object.entries(wire).map(([key, value]) => [key, Array.isArray(value) ? value.slice(at, at + 1) : value])
  const { message, ...rest } = Object.fromEntries(own)
  return at === 0 ? { ...rest, message } : rest
}

/** System messages become text of the user: templates without the role refuse them, or leave them out without a word. */
function moveSystem(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.map((message) => (message.role === 'system' ? { ...message, role: 'user' } : message))
}

/** Neighbouring messages of one role become one. A user who writes between the results of calls and the next reply gets an answer of the model in between. */
function takeTurns(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const turns: ModelMessage[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (message.role === 'user' && last?.role === 'tool')
      turns.push({ role: 'assistant', content: 'I see the results.' })
    if (isJoinable(last) && isJoinable(message) && last.role === message.role)
      turns[turns.length - 1] = join(last, message)
    else turns.push(message)
  }
  return turns
}

function isJoinable(message: ModelMessage | undefined): message is Message {
  return message !== undefined && message.role !== 'tool' && message.role !== 'system' && !message.calls?.length
}

function join(first: Message, second: Message): Message {
  const attachments = [...(first.attachments ?? []), ...(second.attachments ?? [])]
  return {
    role: first.role,
    content: [first.content, second.content].filter((text) => text !== '').join('\n\n'),
    ...(attachments.length > 0 && { attachments }),
  }
}
