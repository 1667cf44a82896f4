import type { ModelMessage, ToolDefinition } from '../../core/ports/model.ts'

/** Characters of a token, on average, over English, code and JSON. */
const CHARACTERS = 3.6
/** What a message costs beside its text, in tokens. */
const FRAME = 6

/** Estimates the tokens of a request: models count differently, so this only decides when to fold. */
export function countTokens(messages: readonly ModelMessage[], tools: readonly ToolDefinition[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0) + countToolTokens(tools)
}

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

function messageTokens(message: ModelMessage): number {
  const calls = message.role === 'assistant' ? JSON.stringify(message.calls ?? []).length : 0
  return FRAME + Math.ceil((message.content.length + calls) / CHARACTERS)
}
