import type { Model, ModelMessage, ModelReply, ToolDefinition, ToolResultMessage } from '../../src/core/ports/model.ts'

/** One request to a model and its full reply; checks that what was streamed is what the reply says. */
export async function ask(
  model: Model,
  messages: readonly ModelMessage[],
  tools: readonly ToolDefinition[],
): Promise<ModelReply> {
  let streamed = ''
  for await (const part of model.stream({ messages, tools, signal: new AbortController().signal })) {
    if (part.type === 'text') streamed += part.text
    if (part.type !== 'reply') continue
    if (part.reply.text !== streamed) throw new Error(`streamed ${streamed}, replied ${part.reply.text}`)
    return part.reply
  }
  throw new Error('there was no reply')
}

/** Runs a conversation as the agent loop does: makes the calls of each reply and gives their results back, until a reply has none. */
export async function drive(
  model: Model,
  { message, tools, before = [], turns = 50 }: DriveOptions,
  call: (name: string, given: unknown) => ResultText | Promise<ResultText>,
): Promise<{ readonly replies: readonly ModelReply[]; readonly messages: readonly ModelMessage[] }> {
  const messages: ModelMessage[] = [...before, { role: 'user', content: message }]
  const replies: ModelReply[] = []
  while (replies.length < turns) {
    const reply = await ask(model, messages, tools)
    replies.push(reply)
    const calls = reply.calls.map(({ id = '', name, arguments: given }) => ({ call: id, name, arguments: given }))
    messages.push({ role: 'assistant', content: reply.text, ...(calls.length > 0 && { calls }) })
    for (const { call: id, name, arguments: given } of calls) {
      const result = await call(name, given)
      const text = typeof result === 'string' ? { content: result } : result
      messages.push({ role: 'tool', call: id, name, ...text })
    }
    if (calls.length === 0 || calls.some(({ name }) => name === 'task_complete')) return { replies, messages }
  }
  throw new Error(`the model did not end within ${turns} turns`)
}

/** What a call gave; with its code where it failed. */
type ResultText = string | Pick<ToolResultMessage, 'content' | 'code'>

interface DriveOptions {
  readonly message: string
  readonly tools: readonly ToolDefinition[]
  readonly before?: readonly ModelMessage[]
  readonly turns?: number
}
