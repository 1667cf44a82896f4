import type { ModelProvider, ModelSettings } from '../../core/model-settings.ts'
import { ModelError } from '../../core/ports/model.ts'
import type { Environment } from './addresses.ts'

/** The variables that hold the key of a provider, as its own tools read them. */
export const KEY_VARIABLES: Readonly<Record<ModelProvider, readonly string[]>> = {
  ollama: ['OLLAMA_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
}

/** The first of a provider's variables that is set. */
export function keyVariableOf(provider: ModelProvider, env: Environment): string | undefined {
  return KEY_VARIABLES[provider].find((name) => env[name])
}

interface KeySources {
  readonly env: Environment
  /** A key that was stored for the model of this name. */
  readonly stored: string | undefined
  /** What the settings call the model; undefined for `PROVIDER:NAME`. */
  readonly table?: string
}

/** The key of a model, or undefined where it needs none. A variable of the provider goes only to the provider itself: never to another address. Throws ModelError where a key is missing. */
export function findKey(
  { provider, baseUrl, apiKeyEnv }: Pick<ModelSettings, 'provider' | 'baseUrl' | 'apiKeyEnv'>,
  { env, stored, table }: KeySources,
): string | undefined {
  if (apiKeyEnv !== undefined) {
    if (env[apiKeyEnv]) return env[apiKeyEnv]
    throw new ModelError(`The key of ${table ?? 'this model'} is read from ${apiKeyEnv}, but that variable is not set.`)
  }
  if (stored !== undefined) return stored
  if (baseUrl !== undefined) return undefined
  const variable = keyVariableOf(provider, env)
  if (variable !== undefined) return env[variable]
  const isOwnServer = provider === 'ollama' || (provider === 'openai' && env.OPENAI_BASE_URL)
  if (isOwnServer) return undefined
  throw new ModelError(
    `There is no key for ${provider}. Set ${KEY_VARIABLES[provider][0]}, or run \`haft models add\`.`,
  )
}
