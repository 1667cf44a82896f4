import type { Model } from '../../core/ports/model.ts'
import { createWire, headersOf, type WireOptions } from '../create-wire.ts'
import { withToolTarget } from '../with-tool-target.ts'
import { readOpenAiMetadata } from './read-metadata.ts'
import { readOpenAiReply } from './read-reply.ts'
import { writeOpenAiRequest } from './write-request.ts'

/** A model of a server that speaks OpenAI's chat completions: OpenAI itself, LM Studio, llama.cpp, vLLM, OpenRouter and many more. */
export function openOpenAi(options: WireOptions): Model {
  const { baseUrl, model } = options
  const headers = headersOf(options)
  let asksForUsage = true
  // OpenAI's own models refuse the older name, some servers the newer one.
  const limitMembers = ['max_tokens', 'max_completion_tokens', undefined] as const
  let limit = 0
  const wire = createWire(options, {
    chatUrl: `${baseUrl}/chat/completions`,
    headers: { accept: 'text/event-stream', ...headers },
    hint: 'Start the server, or set base_url to where it runs.',
    writeRequest: (request, known) =>
      writeOpenAiRequest(request, { options, known, asksForUsage, limitMember: limitMembers[limit] }),
    readReply: readOpenAiReply,
    keepsCallIds: true,
    readMetadata: () => readOpenAiMetadata({ baseUrl, model, headers }),
    adapt({ words }) {
      if (/max_(completion_)?tokens/.test(words) && limit < limitMembers.length - 1) {
        limit++
        return true
      }
      const isRefused = asksForUsage && /stream_options|include_usage/.test(words)
      if (isRefused) asksForUsage = false
      return isRefused
    },
  })
  return withToolTarget(wire, options.strict ? 'openai-strict' : 'openai', options.learned)
}
