import type { ModelProvider } from '../core/model-settings.ts'
import { isRecord } from '../core/text/json.ts'
import { headersOf } from './create-wire.ts'
import { getJson } from './http/get-json.ts'
import { listOllamaModels } from './ollama/read-metadata.ts'
import {
  checkBaseUrl,
  checkOllamaUrl,
  checkOpenAiUrl,
  type Environment,
  ollamaUrl,
  openAiUrl,
} from './open/addresses.ts'
import { listOpenAiModels } from './openai/read-metadata.ts'

/** A server of models and the key it takes. */
export interface ModelServer {
  readonly provider: ModelProvider
  /** The provider's own when left out. */
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly env: Environment
}

/** The names of the models that a server offers, by its metadata alone. Rejects with ModelError where it does not answer or refuses the key. */
export async function listModels(server: ModelServer): Promise<readonly string[]> {
  const { provider, baseUrl, apiKey, headers, env } = server
  if (provider === 'ollama') {
    const url = baseUrl === undefined ? ollamaUrl(env) : checkOllamaUrl(baseUrl, 'base_url')
    return listOllamaModels({ baseUrl: url, headers: headersOf({ apiKey, headers }) })
  }
  if (provider === 'openai') {
    const url = baseUrl === undefined ? openAiUrl(env) : checkOpenAiUrl(baseUrl, 'base_url')
    return listOpenAiModels({ baseUrl: url, headers: headersOf({ apiKey, headers }) })
  }
  const url = checkBaseUrl(baseUrl ?? PROVIDER_URLS[provider], 'base_url')
  const listed = await getJson(`${url}/models`, { headers: { ...keyHeaders(provider, apiKey ?? ''), ...headers } })
  return readNames(listed)
}

const PROVIDER_URLS = {
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const

function keyHeaders(provider: 'anthropic' | 'google', key: string): Record<string, string> {
  return provider === 'anthropic' ? { 'x-api-key': key, 'anthropic-version': '2023-06-01' } : { 'x-goog-api-key': key }
}

/** Anthropic lists `data[].id`, Google `models[].name` as `models/NAME`. */
function readNames(listed: unknown): readonly string[] {
  const { data, models } = isRecord(listed) ? listed : {}
  const entries: readonly unknown[] = Array.isArray(data) ? data : Array.isArray(models) ? models : []
  return entries.flatMap((entry) => {
    const name = isRecord(entry) ? (entry.id ?? entry.name) : undefined
    return typeof name === 'string' ? [name.replace(/^models\//, '')] : []
  })
}
