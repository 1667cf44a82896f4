import type { ModelPrice } from '../core/model-settings.ts'
import { type Model, ModelError } from '../core/ports/model.ts'
import type { AiSdkModel } from './ai-sdk/language-model.ts'

/** A language model of the Vercel AI SDK, as its provider packages make it: `anthropic('claude-…')`. Written in Haft's own types, because the package is optional. */
export interface AiSdkLanguageModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doStream(options: never): PromiseLike<{ readonly stream: unknown }>
}

/** How a model of the AI SDK is used; everything may be left out. */
export interface AiSdkModelOptions {
  /** What the log calls it; `PROVIDER:MODEL` when left out. */
  readonly name?: string
  /** Tokens of its window. */
  readonly context?: number
  readonly temperature?: number
  readonly price?: ModelPrice
}

/** Makes a model of any language model of the Vercel AI SDK; calls that it prints as text are read too. Throws ModelError where the model follows another specification than v4. */
export function fromAiSdk(model: AiSdkLanguageModel, options: AiSdkModelOptions = {}): Model {
  const { name = `${model.provider}:${model.modelId}` } = options
  if (!isCurrent(model))
    throw new ModelError(
      `${name} follows specification ${model.specificationVersion} of the AI SDK; v4 is needed. Update its package.`,
    )
  let opened: Promise<Model> | undefined
  const open = () => {
    opened ??= openModel(model, { ...options, name })
    return opened
  }
  return {
    name,
    abilities: async () => (await open()).abilities(),
    async *stream(request) {
      yield* (await open()).stream(request)
    },
  }
}

/** The version is the package's own word for what its methods take and give. */
function isCurrent(model: object): model is AiSdkModel {
  return 'specificationVersion' in model && model.specificationVersion === 'v4'
}

/** Loads the adapter with the first request: a program that only makes calls does not pay for it. */
async function openModel(model: AiSdkModel, options: AiSdkModelOptions): Promise<Model> {
  const { createAiSdkModel } = await import('./ai-sdk/create-ai-sdk-model.ts')
  const { readsTextCalls } = await import('./reads-text-calls.ts')
  return readsTextCalls(createAiSdkModel(model, options))
}
