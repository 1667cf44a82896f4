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

/** What a prompt template demands of messages, by the words with which templates and servers refuse anything else. */
export function readTemplateRules(words: string): ModelAbilities {
  return {
    ...(/call ids?\b.{0,60}\blength (of )?9\b/i.test(words) && { shortCallIds: true }),
    ...(/roles must alternate|must alternate between/i.test(words) && { alternates: true }),
    ...(/system role (is )?not supported|(doesn't|does not) support (the )?system role/i.test(words) && {
      systemRole: false,
    }),
  }
}

/** What a server's refusal shows: that a model takes no tools, or no images, or what its prompt template demands. Nothing about tools and images where the request had none. */
export function learnFromRefusal({ words, tools, hasImages }: Refused): ModelAbilities {
  if (hasImages && NO_IMAGES.some((form) => form.test(words))) return { images: false }
  if (tools.length > 0 && NO_TOOLS.some((form) => form.test(words))) return { nativeCalls: false }
  return readTemplateRules(words)
}

/** True for the refusal of a request with tools that may be due to their definitions. A failure of the server itself must speak of how it writes prompts: anything else may pass. */
export function blamesTools({ status, words }: { readonly status: number; readonly words: string }): boolean {
  if (/\bcontext (length|size|window)\b|too many tokens/i.test(words)) return false
  if (status >= 500) return /grammar|jinja|template|while executing/i.test(words)
  return (
    (status === 400 || status === 422) && /grammar|jinja|template|schema|parameters|\btools?\b|function/i.test(words)
  )
}
