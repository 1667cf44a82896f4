import type { ModelPrice } from '../../core/model-settings.ts'
import type { Model, ModelAbilities, ModelReply, ModelRequest } from '../../core/ports/model.ts'
import type { TargetName } from '../../core/schema-targets/target.ts'
import { type LearnedAbilities, openAbilityCache } from '../abilities/ability-cache.ts'
import { learnFromCalls } from '../abilities/learn-from-reply.ts'
import { CHAT_LIMITS, type Limits } from '../http/limits.ts'
import { CHAT_RETRIES, type RetryPolicy, retry } from '../http/retry.ts'
import { createReplyCollector } from '../reply/collect-reply.ts'
import { countUsage } from '../reply/count-usage.ts'
import { withToolTarget } from '../with-tool-target.ts'
import { explainFailure } from './explain-failure.ts'
import type { AiSdkModel, AiSdkOptions, AiSdkStream } from './language-model.ts'
import { readAiSdkReply } from './read-reply.ts'
import { type Watched, watchLimits } from './watch-limits.ts'
import { writePrompt, writeTools } from './write-prompt.ts'

/** What a model of the AI SDK is used with; everything may be left out. */
export interface CreateOptions {
  /** As settings name it; `PROVIDER:MODEL` when left out. */
  readonly name?: string
  readonly context?: number | undefined
  /** The most tokens of a reply; the provider's own limit where it is absent. */
  readonly maxOutput?: number | undefined
  readonly temperature?: number | undefined
  readonly price?: ModelPrice | undefined
  readonly learned?: LearnedAbilities | undefined
  readonly limits?: Limits | undefined
  readonly retries?: RetryPolicy | undefined
}

/** Makes a model of any language model of the Vercel AI SDK. */
export function createAiSdkModel(model: AiSdkModel, options: CreateOptions = {}): Model {
  const { name = `${model.provider}:${model.modelId}`, context, price } = options
  const learned = options.learned ?? openAbilityCache(undefined).of(name)
  const known = (): ModelAbilities => ({
    nativeCalls: true,
    images: true,
    ...learned.read(),
    ...(context !== undefined && { context }),
  })
  const wire: Model = {
    name,
    abilities: async () => known(),
    async *stream(request) {
      const order = writeOptions(request, {
        name,
        seesImages: known().images === true,
        temperature: options.temperature,
        maxOutput: request.maxOutput ?? options.maxOutput,
      })
      const watched = watchLimits(request.signal, options.limits ?? CHAT_LIMITS)
      try {
        const attempt = () => start(model, { ...order, abortSignal: watched.signal }, watched)
        const stream = yield* retry(attempt, { signal: request.signal, policy: options.retries ?? CHAT_RETRIES })
        const collector = createReplyCollector()
        yield* readAiSdkReply(watched.read(stream), collector)
        const { opaque, ...collected } = collector.read()
        learned.learn(learnFromCalls(collected.calls), 'replies')
        const usage = countUsage({ reported: collector.usage, request, reply: collected, price })
        const reply: ModelReply = { ...collected, usage, ...(opaque && { wire: { model: name, ...opaque } }) }
        yield { type: 'reply', reply }
      } catch (thrown) {
        throw watched.problem() ?? explainFailure(thrown, model.provider)
      } finally {
        watched.close()
      }
    },
  }
  return withToolTarget(wire, targetOf(model.provider), learned)
}

/** The form of tools that a provider takes, by the start of its id: `anthropic.messages`, `google.generative-ai`. */
function targetOf(provider: string): TargetName {
  if (provider.startsWith('anthropic')) return 'anthropic'
  return provider.startsWith('google') ? 'gemini-json-schema' : 'ai-sdk'
}

interface Writing {
  readonly name: string
  readonly seesImages: boolean
  readonly temperature: number | undefined
  readonly maxOutput: number | undefined
}

function writeOptions({ messages, tools }: ModelRequest, writing: Writing): AiSdkOptions {
  const { name, seesImages, temperature, maxOutput } = writing
  return {
    prompt: writePrompt(messages, { name, seesImages }),
    ...(tools.length > 0 && { tools: writeTools(tools) }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutput !== undefined && { maxOutputTokens: maxOutput }),
  }
}

async function start(model: AiSdkModel, order: AiSdkOptions, watched: Watched): Promise<AiSdkStream> {
  try {
    const { stream } = await watched.untilFirstByte(() => model.doStream(order))
    return stream
  } catch (thrown) {
    throw watched.problem() ?? explainFailure(thrown, model.provider)
  }
}
