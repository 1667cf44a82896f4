import type { ModelAbilities, ModelReply, ToolDefinition } from '../../core/ports/model.ts'

/** What native calls of a reply show; nothing where there are none. */
export function learnFromCalls(calls: ModelReply['calls']): ModelAbilities {
  const [first] = calls
  if (first === undefined) return {}
  const argumentForm = typeof first.arguments === 'string' ? 'text' : 'object'
  return { nativeCalls: true, argumentForm, ...(calls.length > 1 && { parallelCalls: true }) }
}

interface Refused {
  /** The server's words. */
  readonly words: string
  readonly tools: readonly ToolDefinition[]
  readonly hasImages: boolean
}

/** How servers say that a model takes no tools: Ollama, DeepSeek, Groq, OpenRouter, llama.cpp, vLLM. Errors about a schema or a format must not match. */
const NO_TOOLS: readonly RegExp[] = [
  /does(n't| not) support (tools?|function)\b/i,
  /\b(tools?|tool use|(tool|function)[ _]calling)`? (is|are) not supported/i,
  /no endpoints found that support tool use/i,
  /tools param requires --jinja/i,
  /--enable-auto-tool-choice/i,
]

/** How servers say that a model takes no images: llama.cpp, LM Studio, vLLM, OpenRouter, DeepSeek. */
const NO_IMAGES: readonly RegExp[] = [
  /image input is not supported/i,
  /does(n't| not) support (image|vision|multimodal)/i,
  /is not a multimodal model|at most 0 image/i,
  /no endpoints found that support image input/i,
  /unknown variant .?image_url/i,
]

/** What a server's refusal shows: that a model takes no tools, or no images. Nothing where the request had neither. */
export function learnFromRefusal({ words, tools, hasImages }: Refused): ModelAbilities {
  if (hasImages && NO_IMAGES.some((form) => form.test(words))) return { images: false }
  return tools.length > 0 && NO_TOOLS.some((form) => form.test(words)) ? { nativeCalls: false } : {}
}
