import type { ModelAbilities, ModelMessage, ModelRequest } from '../../core/ports/model.ts'
import { outputLimit, type WireOptions } from '../create-wire.ts'
import { argumentsObject } from '../history/arguments.ts'
import { moveResultImages, resultText, shownImages, textWithAttachments } from '../history/attachments.ts'
import { LARGEST_CONTEXT } from './read-metadata.ts'

/** One message as Ollama takes it. */
export interface OllamaMessage {
  role: string
  content: string
  thinking?: string
  images?: string[]
  tool_calls?: { function: { name: string; arguments: Record<string, unknown> } }[]
  tool_name?: string
}

interface Writing {
  readonly options: Pick<WireOptions, 'model' | 'baseUrl' | 'context' | 'maxOutput' | 'temperature'>
  readonly known: ModelAbilities
}

/** The body of `POST /api/chat`. */
export function writeOllamaRequest(request: ModelRequest, { options, known }: Writing): object {
  const { messages, tools } = request
  const { model, temperature } = options
  const context = options.context ?? known.context ?? LARGEST_CONTEXT
  return {
    model,
    stream: true,
    messages: writeOllamaMessages(messages, known.images === true),
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    options: {
      num_ctx: context,
      num_predict: outputLimit(request, options, { context }),
      ...(temperature !== undefined && { temperature }),
    },
  }
}

/** The history as Ollama takes it. */
export function writeOllamaMessages(messages: readonly ModelMessage[], seesImages: boolean): OllamaMessage[] {
  return moveResultImages(messages, seesImages).map((message) => {
    if (message.role === 'tool')
      return { role: 'tool', tool_name: message.name, content: resultText(message, seesImages) }
    const { role, calls = [], reasoning } = message
    const images = shownImages(message.attachments, seesImages)
    return {
      role,
      content: textWithAttachments(message, seesImages),
      // Models that think need their thoughts back while they work with tools, and not afterwards.
      ...(calls.length > 0 && reasoning !== undefined && { thinking: reasoning }),
      ...(images.length > 0 && { images: images.map(({ content }) => content) }),
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ name, arguments: given }) => ({
          function: { name, arguments: argumentsObject(given) },
        })),
      }),
    }
  })
}
