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

const NO_TOOLS =
  /does not support (tools|function)|(tools?|function calling|tool use) (is|are) not supported|no endpoints found that support tool|tools param requires|enable-auto-tool-choice|unsupported.{0,40}\btools?\b|\btools?\b.{0,40}unsupported/i
const NO_IMAGES =
  /image.{0,60}(not supported|unsupported|not allowed|cannot)|(not support|unsupported|doesn't support|missing).{0,60}(image|multimodal|vision|mmproj)|invalid content type.*image_url/i

/** What a server's refusal shows: that a model takes no tools, or no images. Nothing where the request had neither. */
export function learnFromRefusal({ words, tools, hasImages }: Refused): ModelAbilities {
  if (hasImages && NO_IMAGES.test(words)) return { images: false }
  return tools.length > 0 && NO_TOOLS.test(words) ? { nativeCalls: false } : {}
}
