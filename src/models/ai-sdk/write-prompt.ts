import type { ModelMessage, ToolDefinition, ToolResultMessage } from '../../core/ports/model.ts'
import type { Attachment, Message, MessageCall } from '../../core/session/message.ts'
import { argumentsObject } from '../history/arguments.ts'
import { resultText, shownImages, textWithAttachments } from '../history/attachments.ts'
import type { AiSdkMessage, AiSdkTool } from './language-model.ts'
import { type WirePart, wirePartsOf } from './wire-data.ts'

type AssistantPart = Extract<AiSdkMessage, { role: 'assistant' }>['content'][number]
type ResultPart = Extract<AiSdkMessage, { role: 'tool' }>['content'][number]
type ProviderOptions = NonNullable<AiSdkMessage['providerOptions']>

interface HistoryOf {
  /** Opaque data goes back only to the model of this name. */
  readonly name: string
  readonly seesImages: boolean
}

/** The history as the AI SDK has it. Providers take system messages only at the beginning: later ones are sent as the user's. */
export function writePrompt(messages: readonly ModelMessage[], history: HistoryOf): AiSdkMessage[] {
  const prompt: AiSdkMessage[] = []
  for (const message of messages) {
    const last = prompt.at(-1)
    if (message.role === 'tool') {
      const result = writeResult(message, history.seesImages)
      if (last?.role === 'tool') last.content.push(result)
      else prompt.push({ role: 'tool', content: [result] })
    } else if (message.role === 'assistant') {
      const content = writeAssistant(message, wirePartsOf(message.wire, history.name))
      if (content.length > 0) prompt.push({ role: 'assistant', content })
    } else if (message.role === 'system' && (last === undefined || last.role === 'system')) {
      prompt.push({ role: 'system', content: message.content })
    } else prompt.push(writeUser(message, history.seesImages))
  }
  return prompt
}

function writeUser(message: Message, seesImages: boolean): AiSdkMessage {
  const text = textWithAttachments(message, seesImages)
  const images = shownImages(message.attachments, seesImages)
  const isEmpty = text === '' && images.length > 0
  return { role: 'user', content: [...(isEmpty ? [] : [{ type: 'text' as const, text }]), ...images.map(writeImage)] }
}

function writeImage({ name, mediaType, content }: Attachment) {
  return { type: 'file' as const, filename: name, mediaType, data: { type: 'data' as const, data: content } }
}

function writeResult(message: ToolResultMessage, seesImages: boolean): ResultPart {
  const text = resultText(message, seesImages)
  const images = shownImages(message.images, seesImages)
  const head = { type: 'tool-result' as const, toolCallId: message.call, toolName: message.name }
  if (images.length === 0)
    return { ...head, output: { type: message.code === undefined ? 'text' : 'error-text', value: text } }
  return { ...head, output: { type: 'content', value: [{ type: 'text', text }, ...images.map(writeImage)] } }
}

/** The parts of an assistant's message: in the order and with the opaque data of its wire where it has one. */
function writeAssistant({ content, calls = [] }: Message, wire: readonly WirePart[] = []): AssistantPart[] {
  const parts: AssistantPart[] = []
  const texts = content === '' ? [] : [content]
  const left = [...calls]
  for (const part of wire) {
    const options = part.data && { providerOptions: part.data as ProviderOptions }
    if (part.type === 'reasoning') parts.push({ type: 'reasoning', text: part.text, ...options })
    else if (part.type === 'text')
      parts.push(...texts.splice(0, 1).map((text) => ({ type: 'text' as const, text, ...options })))
    else parts.push(...left.splice(0, 1).map((call) => ({ ...writeCall(call), ...options })))
  }
  return [...parts, ...texts.map((text) => ({ type: 'text' as const, text })), ...left.map(writeCall)]
}

function writeCall({ call, name, arguments: given }: MessageCall) {
  return { type: 'tool-call' as const, toolCallId: call, toolName: name, input: argumentsObject(given) }
}

/** The tools as the AI SDK has them. */
export function writeTools(tools: readonly ToolDefinition[]): AiSdkTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    // A JSON Schema from our registry, which the SDK types more narrowly than data can be.
    inputSchema: parameters as Extract<AiSdkTool, { type: 'function' }>['inputSchema'],
  }))
}
