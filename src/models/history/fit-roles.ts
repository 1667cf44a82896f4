import type { ModelAbilities, ModelMessage } from '../../core/ports/model.ts'
import type { Message } from '../../core/session/message.ts'

/** The messages as the prompt template of a model takes them: without empty replies, which many servers refuse, without a system message where it has no place for one, and in turns where it refuses two messages of one role in a row. */
export function fitRoles(messages: readonly ModelMessage[], known: ModelAbilities): readonly ModelMessage[] {
  const spoken = messages.filter((message) => message.role !== 'assistant' || message.content !== '' || message.calls)
  const placed = known.systemRole === false ? moveSystem(spoken) : spoken
  return known.alternates || known.systemRole === false ? takeTurns(placed) : placed
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
