import type { ModelMessage, ModelRequest, ToolDefinition, ToolResultMessage } from '../core/ports/model.ts'
import type { Attachment, Message } from '../core/session/message.ts'
import { argumentsObject } from './history/arguments.ts'

/** The same request for a model without native tools: they are described in the prompt, and earlier calls and results are written as text. */
export function describeToolsIn(request: ModelRequest): ModelRequest {
  const { messages, tools } = request
  if (tools.length === 0) return { ...request, messages: writeHistory(messages) }
  const [first, ...rest] = writeHistory(messages)
  const description = describeTools(tools)
  const described: readonly ModelMessage[] =
    first?.role === 'system'
      ? [{ ...first, content: `${first.content}\n\n${description}` }, ...rest]
      : [{ role: 'system', content: description }, ...(first ? [first, ...rest] : rest)]
  return { ...request, messages: described, tools: [] }
}

/** The description of the tools in a prompt, in the form that most models without native calls were trained on. */
export function describeTools(tools: readonly ToolDefinition[]): string {
  const list = tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }))
  return [
    'You can call tools. To call one, write its name and arguments as JSON between these tags, each on a line of its own:',
    writeCall('TOOL', { PARAMETER: 'value' }),
    'To call several tools, write several such blocks. Stop after the last block: the results come in the next message. Answer without a block when you need no tool.',
    'The tools, each with the JSON Schema of its arguments:',
    ...list,
  ].join('\n')
}

function writeCall(name: string, given: unknown): string {
  return `<tool_call>\n${JSON.stringify({ name, arguments: argumentsObject(given) })}\n</tool_call>`
}

/** Calls become text of the assistant, and the results of a turn one message of the user: many prompt templates refuse two in a row. */
function writeHistory(messages: readonly ModelMessage[]): Message[] {
  const written: Message[] = []
  let results: ToolResultMessage[] = []
  const flush = () => {
    if (results.length > 0) written.push(writeResults(results))
    results = []
  }
  for (const message of messages) {
    if (message.role === 'tool') results.push(message)
    else {
      flush()
      written.push(writeCalls(message))
    }
  }
  flush()
  return written
}

function writeCalls({ calls, wire: _, ...message }: Message): Message {
  if (calls === undefined || calls.length === 0) return message
  const blocks = calls.map(({ name, arguments: given }) => writeCall(name, given))
  return { ...message, content: [message.content, ...blocks].filter((text) => text !== '').join('\n') }
}

function writeResults(results: readonly ToolResultMessage[]): Message {
  const texts = results.map(({ name, content }) => `<tool_response>\n${name}: ${content}\n</tool_response>`)
  const images: readonly Attachment[] = results.flatMap((result) => result.images ?? [])
  return { role: 'user', content: texts.join('\n'), ...(images.length > 0 && { attachments: images }) }
}
