import type { ModelAbilities } from '../../core/ports/model.ts'
import { isRecord } from '../../core/text/json.ts'
import { readTemplateRules } from '../abilities/learn-from-reply.ts'
import { getJson } from '../http/get-json.ts'
import { isOnThisMachine } from '../open/addresses.ts'
import { countOf } from '../reply/count-usage.ts'

interface OpenAiServer {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
}

type Members = Readonly<Record<string, unknown>>

/** What a server says of a model in `/v1/models`, in LM Studio's `/api/v0/models` and in llama.cpp's `/props`. Rejects where it says nothing at all. */
export async function readOpenAiMetadata(server: OpenAiServer & { readonly model: string }): Promise<ModelAbilities> {
  const root = server.baseUrl.replace(/\/v1$/, '')
  const entry = await findEntry(`${server.baseUrl}/models`, server)
  const owner = String(entry?.owned_by ?? '')
  // The other addresses are those of particular local servers; a hosted provider is not asked for them.
  const mayBeLlama = owner === 'llamacpp' || (owner !== 'vllm' && isOnThisMachine(server.baseUrl))
  const props = mayBeLlama ? await readProps(`${root}/props`, server) : {}
  const own = { ...(owner === 'llamacpp' && { grammar: true }), ...props }
  const studio = isOnThisMachine(server.baseUrl) && own.context === undefined ? await findStudioEntry(root, server) : {}
  return { ...readEntry(entry ?? {}), ...studio, ...own }
}

async function findEntry(
  url: string,
  { headers, model }: OpenAiServer & { model: string },
): Promise<Members | undefined> {
  const listed = await getJson(url, { headers })
  const models: readonly unknown[] = isRecord(listed) && Array.isArray(listed.data) ? listed.data : []
  const entries = models.filter(isRecord)
  // A server of one model answers for it whatever name it is asked by.
  return entries.find(({ id }) => id === model) ?? (entries.length === 1 ? entries[0] : undefined)
}

/** vLLM, OpenRouter and llama.cpp list more of a model than its name. */
function readEntry(entry: Members): ModelAbilities {
  const { meta, architecture, supported_parameters: parameters } = entry
  const modalities = isRecord(architecture) ? architecture.input_modalities : undefined
  const trained = isRecord(meta) ? countOf(meta.n_ctx_train) : undefined
  const context = countOf(entry.max_model_len) ?? countOf(entry.context_length) ?? trained
  return {
    ...(context !== undefined && { context }),
    ...(Array.isArray(parameters) && { nativeCalls: parameters.includes('tools') }),
    ...(Array.isArray(modalities) && { images: modalities.includes('image') }),
  }
}

async function findStudioEntry(root: string, server: OpenAiServer & { model: string }): Promise<ModelAbilities> {
  const entry = await findEntry(`${root}/api/v0/models`, server).catch(() => undefined)
  if (entry === undefined) return {}
  const context = countOf(entry.loaded_context_length) ?? countOf(entry.max_context_length)
  return { images: entry.type === 'vlm', ...(context !== undefined && { context }) }
}

async function readProps(url: string, { headers }: OpenAiServer): Promise<ModelAbilities> {
  const props = await getJson(url, { headers }).catch(() => undefined)
  if (!isRecord(props) || !isRecord(props.default_generation_settings)) return {}
  const {
    default_generation_settings: generation,
    modalities,
    chat_template: template,
    chat_template_caps: caps,
  } = props
  const context = isRecord(generation) ? countOf(generation.n_ctx) : undefined
  return {
    grammar: true,
    alternates: false,
    shortCallIds: false,
    ...(typeof template === 'string' && readTemplateRules(template)),
    ...(isRecord(caps) && readCaps(caps)),
    ...(isRecord(modalities) && { images: modalities.vision === true }),
    ...(context !== undefined && { context }),
  }
}

/** What llama.cpp found out about the prompt template. A template without tools drops them, and the results of calls, without a word. */
function readCaps({
  supports_tools: tools,
  supports_tool_calls: calls,
  supports_system_role: system,
  supports_parallel_tool_calls: parallel,
}: Members): ModelAbilities {
  return {
    ...(typeof tools === 'boolean' && typeof calls === 'boolean' && { nativeCalls: tools && calls }),
    ...(typeof system === 'boolean' && { systemRole: system }),
    ...(typeof parallel === 'boolean' && { singleCalls: !parallel }),
  }
}

/** The names of the models that a server has. Rejects where it does not answer. */
export async function listOpenAiModels({ baseUrl, headers }: OpenAiServer): Promise<readonly string[]> {
  const listed = await getJson(`${baseUrl}/models`, { headers })
  const models: readonly unknown[] = isRecord(listed) && Array.isArray(listed.data) ? listed.data : []
  return models.flatMap((model) => (isRecord(model) && typeof model.id === 'string' ? [model.id] : []))
}
