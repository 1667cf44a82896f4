import type { Model, ModelPart, ModelReply, ModelRequest } from '../../../src/core/ports/model.ts'
import { openAbilityCache } from '../../../src/models/abilities/ability-cache.ts'
import type { WireOptions } from '../../../src/models/create-wire.ts'
import { openOllama } from '../../../src/models/ollama/open-ollama.ts'
import { openOpenAi } from '../../../src/models/openai/open-openai.ts'

/** A model named `test` of a server, with waits so short that a test need not wait. */
export function openTestModel(wire: 'openai' | 'ollama', url: string, options: Partial<WireOptions> = {}): Model {
  const given = {
    name: 'test',
    model: 'test',
    baseUrl: wire === 'openai' ? `${url}/v1` : url,
    learned: openAbilityCache(undefined).of('test'),
    retries: { attempts: 3, firstSeconds: 0.001, maxSeconds: 1 },
    ...options,
  }
  return wire === 'openai' ? openOpenAi(given) : openOllama(given)
}

/** What a model gave. */
export interface Asked {
  readonly parts: readonly ModelPart[]
  readonly reply: ModelReply
}

/** Asks a model and collects all it gives. Rejects as the model does. */
export async function askModel(model: Model, request: Partial<ModelRequest> = {}): Promise<Asked> {
  const parts: ModelPart[] = []
  const full = { messages: [{ role: 'user' as const, content: 'go' }], tools: [], ...request }
  for await (const part of model.stream({ signal: new AbortController().signal, ...full })) parts.push(part)
  const last = parts.at(-1)
  if (last?.type !== 'reply') throw new Error('the last part is no reply')
  return { parts, reply: last.reply }
}
