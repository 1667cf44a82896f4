import { type Model, ModelError } from '../../core/ports/model.ts'
import type { WireOptions } from '../create-wire.ts'
import { createAiSdkModel } from './create-ai-sdk-model.ts'
import type { AiSdkModel } from './language-model.ts'

/** The providers that are reached through packages of the AI SDK. */
export type AiSdkProvider = 'anthropic' | 'google'

/** What a provider is opened with; without a base URL its own is used. */
export type ProviderOptions = Omit<WireOptions, 'baseUrl' | 'learned'> &
  Pick<Partial<WireOptions>, 'baseUrl' | 'learned'>

interface Connection {
  readonly apiKey?: string
  readonly baseURL?: string
  readonly headers?: Record<string, string>
}

/** How each provider's package is loaded: only when one of its models is used, since the packages are optional. */
const LOADERS: Readonly<Record<AiSdkProvider, (connection: Connection) => Promise<(model: string) => AiSdkModel>>> = {
  anthropic: async (connection) => (await import('@ai-sdk/anthropic')).createAnthropic(connection),
  google: async (connection) => (await import('@ai-sdk/google')).createGoogle(connection),
}

/** A model of Anthropic or Google. Rejects with the line that installs the package where it is missing. */
export async function openProvider(provider: AiSdkProvider, options: ProviderOptions): Promise<Model> {
  const { apiKey, baseUrl, headers, model } = options
  const connection = {
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    ...(headers !== undefined && { headers: { ...headers } }),
  }
  const create = await LOADERS[provider](connection).catch((thrown: unknown) => {
    throw explainMissing(thrown, `@ai-sdk/${provider}`)
  })
  return createAiSdkModel(create(model), options)
}

/** What to do where a package is missing; any other failure as it is. */
export function explainMissing(thrown: unknown, name: string): unknown {
  const isMissing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_MODULE_NOT_FOUND'
  if (!isMissing || !thrown.message.includes(name)) return thrown
  return new ModelError(`This provider needs a package that is not installed. Install it with: npm install ${name}`)
}
