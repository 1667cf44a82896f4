import { importPeer } from './import-peer.ts'

/** `ai`, as far as it is used here. */
export interface Ai {
  tool(spec: { description?: string; inputSchema: object; execute: unknown }): object
  jsonSchema(schema: object): object
  isStepCount(count: number): unknown
  generateText(options: {
    model: object
    tools?: object | undefined
    prompt: string
    stopWhen?: unknown
    telemetry?: object
  }): Promise<{ readonly steps: readonly { readonly toolResults: readonly { readonly output?: unknown }[] }[] }>
}

/** A tool as `ai` hands it to a model. */
export interface AiDefinition {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
}

/** What a model of `ai` is asked and answers. */
export type AiGenerate = (asked: { readonly tools?: readonly AiDefinition[] }) => Promise<object>

export const loadAi = () => importPeer<Ai>('ai')

/** A model of `ai` that answers at once; what it was asked is not kept. */
export async function mockAiModel(generate: AiGenerate): Promise<object> {
  const { MockLanguageModelV4 } = await importPeer<{
    MockLanguageModelV4: new (options: { doGenerate: AiGenerate }) => { doGenerateCalls: unknown[] }
  }>('ai/test')
  const model = new MockLanguageModelV4({
    doGenerate(asked) {
      model.doGenerateCalls.length = 0
      return generate(asked)
    },
  })
  return model
}

/** What a mock model answers with: these parts, and why it stopped. */
export function aiAnswer(reason: 'stop' | 'tool-calls', content: readonly object[]): object {
  return {
    finishReason: { unified: reason, raw: undefined },
    usage: { inputTokens: { total: 1, noCache: 1 }, outputTokens: { total: 1, text: 1 } },
    warnings: [],
    content,
  }
}

/** `@langchain/core/tools`, as far as it is used here. */
export interface LangChain {
  tool(
    run: unknown,
    fields: { name: string; description: string; schema: object },
  ): { invoke(args: object): Promise<unknown> }
}

export const loadLangChain = () => importPeer<LangChain>('@langchain/core/tools')

/** `@openai/agents`, as far as it is used here. */
export interface Agents {
  tool(spec: { name: string; description: string; parameters: object; execute: unknown }): {
    readonly name: string
    readonly description: string
    readonly parameters: object
    invoke(context: object, args: string): Promise<unknown>
  }
  RunContext: new () => object
}

export const loadAgents = () => importPeer<Agents>('@openai/agents')

/** `@mastra/core/tools`, as far as it is used here. */
export interface Mastra {
  createTool(spec: { id: string; description: string; inputSchema: object; execute: unknown }): {
    readonly id: string
    readonly description: string
    readonly inputSchema: {
      readonly '~standard': { readonly jsonSchema: { input(options: { target: string }): object } }
    }
    execute(args: object, context: object): Promise<unknown>
  }
}

export const loadMastra = () => importPeer<Mastra>('@mastra/core/tools')
