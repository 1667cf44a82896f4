import type { ModelAbilities } from '../../core/ports/model.ts'
import { isRecord } from '../../core/text/json.ts'
import { getJson } from '../http/get-json.ts'
import { countOf } from '../reply/count-usage.ts'

/** The largest window that is asked for where the settings name none: beyond it memory runs short on common machines. */
export const LARGEST_CONTEXT = 32_768

interface OllamaServer {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
}

/** What `/api/show` says of a model. Rejects where the server does not say it. */
export async function readOllamaMetadata({
  baseUrl,
  headers,
  model,
}: OllamaServer & { readonly model: string }): Promise<ModelAbilities> {
  const shown = await getJson(`${baseUrl}/api/show`, { headers, body: { model } })
  if (!isRecord(shown)) return {}
  const { capabilities, template, model_info: info } = shown
  return {
    ...(Array.isArray(capabilities)
      ? { nativeCalls: capabilities.includes('tools'), images: capabilities.includes('vision') }
      : typeof template === 'string' && { nativeCalls: template.includes('.Tools') }),
    ...(typeof template === 'string' && !/\.System\b|\.Role\s*}}|system/.test(template) && { systemRole: false }),
    // The window that requests will set, which is what a conversation must fit into.
    context: Math.min(contextOf(info) ?? LARGEST_CONTEXT, LARGEST_CONTEXT),
  }
}

/** The window, under the name of the model's architecture: `llama.context_length`. */
function contextOf(info: unknown): number | undefined {
  if (!isRecord(info)) return undefined
  const architecture = String(info['general.architecture'])
  return countOf(info[`${architecture}.context_length`])
}

/** The names of the models that a server has. Rejects where it does not answer. */
export async function listOllamaModels({ baseUrl, headers }: OllamaServer): Promise<readonly string[]> {
  const listed = await getJson(`${baseUrl}/api/tags`, { headers })
  const models = isRecord(listed) && Array.isArray(listed.models) ? listed.models : []
  return models.flatMap((model: unknown) => (isRecord(model) && typeof model.name === 'string' ? [model.name] : []))
}
