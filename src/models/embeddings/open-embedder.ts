import type { Embedder } from '../../core/ports/developer/embedder.ts'
import { ModelError } from '../../core/ports/model.ts'
import { isRecord } from '../../core/text/json.ts'
import { getJson } from '../http/get-json.ts'
import { CHAT_LIMITS } from '../http/limits.ts'
import { type Environment, ollamaUrl, openAiUrl } from '../open/addresses.ts'
import { findKey } from '../open/find-key.ts'

/** Opens the embedding model that the settings name: `ollama:NAME` (`/api/embed`) or `openai:NAME` (`/v1/embeddings`). Throws ModelError where the address or the key is wrong. */
export function openEmbedder(id: string, env: Environment): Embedder {
  const [provider = '', ...rest] = id.split(':')
  const model = rest.join(':')
  if (provider !== 'ollama' && provider !== 'openai')
    throw new ModelError(`${id} is not an embedding model. Write ollama:NAME or openai:NAME.`)
  const key = findKey({ provider }, { env, stored: undefined })
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const url = provider === 'ollama' ? `${ollamaUrl(env)}/api/embed` : `${openAiUrl(env)}/embeddings`
  return {
    id: `${id} ${url}`,
    async embed(input, signal) {
      const answer = await getJson(url, { headers, body: { model, input }, signal, limits: CHAT_LIMITS })
      const vectors = provider === 'ollama' ? readOllama(answer) : readOpenAi(answer)
      if (vectors.length === input.length && vectors.every(isVector)) return vectors
      throw new ModelError(`${url} did not answer with one vector for each of ${input.length} texts.`)
    },
  }
}

function readOllama(answer: unknown): readonly unknown[] {
  return isRecord(answer) && Array.isArray(answer.embeddings) ? answer.embeddings : []
}

/** The entries may come in another order. */
function readOpenAi(answer: unknown): readonly unknown[] {
  const data = isRecord(answer) && Array.isArray(answer.data) ? answer.data.filter(isRecord) : []
  return data.toSorted((a, b) => Number(a.index) - Number(b.index)).map(({ embedding }) => embedding)
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => Number.isFinite(one))
}
