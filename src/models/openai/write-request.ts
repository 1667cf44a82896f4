import type { ModelAbilities, ModelMessage, ModelRequest } from '../../core/ports/model.ts'
import type { Attachment, Message, MessageCall } from '../../core/session/message.ts'
import type { WireOptions } from '../create-wire.ts'
import { argumentsText } from '../history/arguments.ts'
import { moveResultImages, resultText, shownImages, textWithAttachments } from '../history/attachments.ts'
import { type OpenAiWire, openAiWireOf } from './wire-data.ts'

/** A piece of a message that is more than text. */
export type OpenAiPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

/** A call in the history. */
export interface OpenAiCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** One message as the protocol has it. */
export type OpenAiMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | OpenAiPart[] }
  | { role: 'assistant'; content: string; tool_calls?: OpenAiCall[] }
  | { role: 'tool'; tool_call_id: string; content: string }

interface Writing {
  readonly options: Pick<WireOptions, 'name' | 'model' | 'temperature'>
  readonly known: ModelAbilities
  /** Whether the stream shall end with a count of tokens; a few servers refuse to be asked. */
  readonly asksForUsage: boolean
}

/** The body of `POST /chat/completions`. */
export function writeOpenAiRequest({ messages, tools }: ModelRequest, writing: Writing): object {
  const { options, known, asksForUsage } = writing
  const { name, model, temperature } = options
  return {
    model,
    stream: true,
    messages: writeOpenAiMessages(messages, { name, seesImages: known.images !== false }),
    ...(asksForUsage && { stream_options: { include_usage: true } }),
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    ...(temperature !== undefined && { temperature }),
  }
}

interface HistoryOf {
  /** Opaque data goes back only to the model of this name. */
  readonly name: string
  readonly seesImages: boolean
}

/** The history as the protocol has it. */
export function writeOpenAiMessages(
  messages: readonly ModelMessage[],
  { name, seesImages }: HistoryOf,
): OpenAiMessage[] {
  return moveResultImages(messages, seesImages).map((message) => {
    if (message.role === 'tool')
      return { role: 'tool', tool_call_id: message.call, content: resultText(message, seesImages) }
    const text = textWithAttachments(message, seesImages)
    if (message.role === 'system') return { role: 'system', content: text }
    if (message.role === 'user')
      return { role: 'user', content: withImages(text, shownImages(message.attachments, seesImages)) }
    return writeAssistant(message, openAiWireOf(message.wire, name))
  })
}

function withImages(text: string, images: readonly Attachment[]): string | OpenAiPart[] {
  if (images.length === 0) return text
  const urls = images.map(({ mediaType, content }) => ({ url: `data:${mediaType};base64,${content}` }))
  return [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...urls.map((url) => ({ type: 'image_url' as const, image_url: url })),
  ]
}

/** Reasoning goes back only within work with tools: there some servers need it, elsewhere some refuse it. */
function writeAssistant({ content, calls = [], reasoning }: Message, wire: OpenAiWire): OpenAiMessage {
  const member = calls.length > 0 && reasoning !== undefined ? wire.reasoningMember : undefined
  return {
    ...wire.message,
    role: 'assistant',
    content,
    ...(member !== undefined && { [member]: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls.map((call, at) => writeCall(call, wire.calls?.[at] ?? {})) }),
  }
}

function writeCall({ call, name, arguments: given }: MessageCall, opaque: object): OpenAiCall {
  return { ...opaque, id: call, type: 'function', function: { name, arguments: argumentsText(given) } }
}
