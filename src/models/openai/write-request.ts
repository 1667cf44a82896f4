import { createHash } from 'node:crypto'
import type { ModelAbilities, ModelMessage, ModelRequest } from '../../core/ports/model.ts'
import type { Attachment, Message, MessageCall } from '../../core/session/message.ts'
import { outputLimit, type WireOptions } from '../create-wire.ts'
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
  readonly options: Pick<WireOptions, 'name' | 'model' | 'baseUrl' | 'temperature' | 'maxOutput'>
  readonly known: ModelAbilities
  /** Whether the stream shall end with a count of tokens; a few servers refuse to be asked. */
  readonly asksForUsage: boolean
  /** The member that bounds the reply; undefined where the server takes none. */
  readonly limitMember: 'max_tokens' | 'max_completion_tokens' | undefined
}

/** The body of `POST /chat/completions`. */
export function writeOpenAiRequest(request: ModelRequest, writing: Writing): object {
  const { messages, tools } = request
  const { options, known, asksForUsage, limitMember } = writing
  const limit = outputLimit(request, options, known)
  const { name, model, temperature } = options
  return {
    model,
    stream: true,
    messages: writeOpenAiMessages(messages, {
      name,
      seesImages: known.images !== false,
      hasShortIds: known.shortCallIds,
    }),
    ...(asksForUsage && { stream_options: { include_usage: true } }),
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    ...(temperature !== undefined && { temperature }),
    ...(limitMember !== undefined && limit !== undefined && { [limitMember]: limit }),
  }
}

interface HistoryOf {
  /** Opaque data goes back only to the model of this name. */
  readonly name: string
  readonly seesImages: boolean
  /** Whether ids of calls must be nine letters and digits. */
  readonly hasShortIds?: boolean | undefined
}

/** The history as the protocol has it. */
export function writeOpenAiMessages(
  messages: readonly ModelMessage[],
  { name, seesImages, hasShortIds = false }: HistoryOf,
): OpenAiMessage[] {
  const ids = new Map<string, string>()
  return moveResultImages(messages, seesImages).map((message) => {
    if (message.role === 'tool')
      return {
        role: 'tool',
        tool_call_id: ids.get(message.call) ?? shortId(message.call),
        content: resultText(message, seesImages),
      }
    const text = textWithAttachments(message, seesImages)
    if (message.role === 'system') return { role: 'system', content: text }
    if (message.role === 'user')
      return { role: 'user', content: withImages(text, shownImages(message.attachments, seesImages)) }
    const wire = openAiWireOf(message.wire, name)
    for (const [at, { call }] of (message.calls ?? []).entries()) {
      const given = wire.ids?.[at]
      const isKept = typeof given === 'string' && given !== '' && (!hasShortIds || SHORT_ID.test(given))
      ids.set(call, isKept ? given : shortId(call))
    }
    return writeAssistant(message, wire, ids)
  })
}

/** The form of ids that every server takes, and the only one that Mistral's models take. */
const SHORT_ID = /^[A-Za-z0-9]{9}$/

/** An id for a call that its server gave none, or one that its own template refuses: the same in each request. */
function shortId(call: string): string {
  return createHash('sha256').update(call).digest('hex').slice(0, 9)
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
function writeAssistant(
  { content, calls = [], reasoning }: Message,
  wire: OpenAiWire,
  ids: ReadonlyMap<string, string>,
): OpenAiMessage {
  const member = calls.length > 0 && reasoning !== undefined ? wire.reasoningMember : undefined
  return {
    ...wire.message,
    role: 'assistant',
    content,
    ...(member !== undefined && { [member]: reasoning }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call, at) => ({ ...wire.calls?.[at], ...writeCall(call, ids) })),
    }),
  }
}

function writeCall({ call, name, arguments: given }: MessageCall, ids: ReadonlyMap<string, string>): OpenAiCall {
  return { id: ids.get(call) ?? call, type: 'function', function: { name, arguments: argumentsText(given) } }
}
