import { type Model, type ModelAbilities, ModelError, type ModelReply, type ModelRequest } from '../../src/index.ts'

/** One reply of a scripted model; a function sees the request first. */
export type ScriptedReply =
  | {
      readonly text?: string
      readonly reasoning?: string
      readonly calls?: readonly ScriptedCall[]
      readonly finish?: ModelReply['finish']
    }
  | { readonly error: string }
  | ((request: ModelRequest) => ScriptedReply | Promise<ScriptedReply>)

export interface ScriptedCall {
  readonly name: string
  readonly arguments?: unknown
}

/** A model whose replies a test gives, and what it was sent. */
export interface ScriptedModel extends Model {
  readonly requests: readonly ModelRequest[]
}

/** Makes a model that gives these replies in order; the last one again and again. */
export function scriptedModel(replies: readonly ScriptedReply[], abilities: ModelAbilities = {}): ScriptedModel {
  const requests: ModelRequest[] = []
  return {
    name: 'scripted',
    requests,
    abilities: async () => abilities,
    async *stream(request) {
      requests.push({ ...request, messages: [...request.messages] })
      let reply = replies[Math.min(requests.length, replies.length) - 1] ?? {}
      while (typeof reply === 'function') reply = await reply(request)
      if ('error' in reply) throw new ModelError(reply.error)
      request.signal.throwIfAborted()
      const { text = '', reasoning, calls = [], finish } = reply
      for (const word of text.split(/(?<= )/)) if (word !== '') yield { type: 'text', text: word }
      yield {
        type: 'reply',
        reply: {
          text,
          ...(reasoning !== undefined && { reasoning }),
          calls: calls.map(({ name, arguments: args = {} }) => ({ name, arguments: args })),
          finish: finish ?? (calls.length > 0 ? 'calls' : 'stop'),
          usage: { input: 10, output: 5 },
          repairs: [],
        },
      }
    },
  }
}
