import type { ModelMessage, ToolDefinition } from '../../core/ports/model.ts'
import type { MessageCall } from '../../core/session/message.ts'

/** Characters of a token, on average, over English, code and JSON. */
const CHARACTERS = 3.6
/** What an image costs, in tokens; about as much as providers count for a picture of 1,000 by 1,000 points. */
const IMAGE = 1_300
/** What a message costs beside its text, in tokens. */
const FRAME = 6
/** The characters of a call beside its name and arguments. */
const CALL_FRAME = 60

/** Estimates the tokens of tool definitions. */
export function countToolTokens(tools: readonly ToolDefinition[]): number {
  let characters = 0
  for (const tool of tools) characters += lengthOf(tool)
  return Math.ceil(characters / CHARACTERS)
}

const lengths = new WeakMap<ToolDefinition, number>()

/** A definition is frozen for the life of its snapshot, so its length is computed once. */
function lengthOf(tool: ToolDefinition): number {
  const known = lengths.get(tool)
  if (known !== undefined) return known
  const length = tool.name.length + tool.description.length + JSON.stringify(tool.parameters).length
  lengths.set(tool, length)
  return length
}

/** Estimates the tokens of a message: models count differently, so this only decides when to fold. */
export function messageTokens(message: ModelMessage): number {
  const calls = message.role === 'assistant' && message.calls ? callsLength(message.calls) : 0
  const attached = (message.role === 'tool' ? message.images : message.attachments) ?? []
  const texts = attached.reduce((sum, { encoding, content }) => sum + (encoding ? 0 : content.length), 0)
  const images = attached.filter(({ encoding }) => encoding !== undefined).length
  return FRAME + images * IMAGE + Math.ceil((message.content.length + calls + texts) / CHARACTERS)
}

function callsLength(calls: readonly MessageCall[]): number {
  let length = 0
  for (const { name, arguments: args } of calls)
    length += CALL_FRAME + name.length + (typeof args === 'string' ? args : (JSON.stringify(args) ?? '')).length
  return length
}
