import { MODEL_PROVIDERS, type ModelProvider } from '../core/model-settings.ts'
import { listOllamaModels } from './ollama/read-metadata.ts'
import { type Environment, LM_STUDIO_URL, ollamaUrl, openAiUrl } from './open/addresses.ts'
import { keyVariableOf } from './open/find-key.ts'
import { listOpenAiModels } from './openai/read-metadata.ts'

/** A model that is there without any setting. */
export interface FoundModel {
  /** As it is opened: `ollama:qwen3:8b`. */
  readonly name: string
  /** `Ollama at 127.0.0.1:11434` */
  readonly from: string
}

/** A key in the environment, by which any model of its provider can be used. */
export interface FoundKey {
  readonly provider: ModelProvider
  readonly variable: string
}

/** What was found. */
export interface FoundModels {
  readonly models: readonly FoundModel[]
  readonly keys: readonly FoundKey[]
}

interface Finding {
  readonly env: Environment
  /** Where LM Studio is looked for; its usual address when left out. */
  readonly lmStudioUrl?: string
}

/** Finds models without any setting: on the usual addresses of local servers, and by keys in the environment. Asks only servers of this machine and those that the environment names; providers with a key are not asked. */
export async function findModels({ env, lmStudioUrl = LM_STUDIO_URL }: Finding): Promise<FoundModels> {
  const named = env.OPENAI_BASE_URL ? [findAt(openAiServer(env))] : []
  const local = [findAt(ollamaServer(env)), findAt(studioServer(lmStudioUrl)), ...named]
  const keys = MODEL_PROVIDERS.flatMap((provider) => {
    const variable = provider === 'ollama' ? undefined : keyVariableOf(provider, env)
    const isListed = provider === 'openai' && env.OPENAI_BASE_URL
    return variable === undefined || isListed ? [] : [{ provider, variable }]
  })
  return { models: (await Promise.all(local)).flat(), keys }
}

interface Server {
  readonly title: string
  readonly prefix: string
  readonly baseUrl: string
  readonly list: typeof listOpenAiModels
  readonly apiKey?: string | undefined
}

function ollamaServer(env: Environment): Server {
  return {
    title: 'Ollama',
    prefix: 'ollama',
    baseUrl: ollamaUrl(env),
    list: listOllamaModels,
    apiKey: env.OLLAMA_API_KEY,
  }
}

function studioServer(baseUrl: string): Server {
  return { title: 'LM Studio', prefix: 'lmstudio', baseUrl, list: listOpenAiModels }
}

function openAiServer(env: Environment): Server {
  const baseUrl = openAiUrl(env)
  return { title: 'OPENAI_BASE_URL', prefix: 'openai', baseUrl, list: listOpenAiModels, apiKey: env.OPENAI_API_KEY }
}

/** The models of a server; none where it does not answer. Models that only embed text are left out. */
async function findAt({ title, prefix, baseUrl, list, apiKey }: Server): Promise<FoundModel[]> {
  const headers = apiKey ? { authorization: `Bearer ${apiKey}` } : {}
  const names = await list({ baseUrl, headers }).catch(() => [])
  const from = `${title} at ${new URL(baseUrl).host}`
  return names.filter((name) => !/\bembed/i.test(name)).map((name) => ({ name: `${prefix}:${name}`, from }))
}
