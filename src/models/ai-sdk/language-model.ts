import type { LanguageModel } from 'ai'

/** A language model of the AI SDK, in the form that its current provider packages make. */
export type AiSdkModel = Extract<LanguageModel, { specificationVersion: 'v4' }>

/** What such a model is called with. */
export type AiSdkOptions = Parameters<AiSdkModel['doStream']>[0]
export type AiSdkMessage = AiSdkOptions['prompt'][number]
export type AiSdkTool = NonNullable<AiSdkOptions['tools']>[number]

/** What arrives from such a model. */
export type AiSdkStream = Awaited<ReturnType<AiSdkModel['doStream']>>['stream']
export type AiSdkPart = AiSdkStream extends AsyncIterable<infer Part> ? Part : never
