import type { Model, ModelMessage, ModelRequest } from '../../../src/core/ports/model.ts'

/** One reply of a scripted model. */
export interface ScriptedReply {
  readonly text?: string
  readonly calls?: readonly { readonly name: string; readonly arguments?: unknown }[]
}

/** A model that gives prepared replies, and remembers what it was sent. */
export interface ScriptedModel extends Model {
  readonly requests: readonly ModelRequest[]
}

interface ScriptOptions {
  readonly name?: string
  /** The tokens of its window. */
  readonly context?: number
}

/** Makes a model that computes each reply from the request; it may wait, and ends when it is stopped. */
export function modelOf(
  reply: (request: ModelRequest, turn: number) => ScriptedReply | Promise<ScriptedReply>,
  { name = 'scripted', context }: ScriptOptions = {},
): ScriptedModel {
  const requests: ModelRequest[] = []
  return {
    name,
    requests,
    abilities: async () => (context === undefined ? {} : { context }),
    async *stream(request) {
      requests.push(request)
      const { text = '', calls = [] } = await unlessStopped(reply(request, requests.length), request.signal)
      if (text !== '') yield { type: 'text', text }
      const made = calls.map((call) => ({ arguments: {}, ...call }))
      const finish = made.length > 0 ? 'calls' : 'stop'
      yield { type: 'reply', reply: { text, calls: made, finish, usage: {}, repairs: [] } }
    },
  }
}

/** Makes a model that gives these replies one after another; one reply more is an error. */
export function scriptedModel(replies: readonly ScriptedReply[], options: ScriptOptions = {}): ScriptedModel {
  return modelOf((_, turn) => {
    const reply = replies[turn - 1]
    if (!reply) throw new Error(`the script has no reply ${turn}`)
    return reply
  }, options)
}

/** Calls one tool. */
export function call(name: string, args: unknown = {}): ScriptedReply {
  return { calls: [{ name, arguments: args }] }
}

/** The results of the calls that a model was sent, in order. */
export function resultsIn(messages: readonly ModelMessage[]): readonly string[] {
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
}

/** The first message of a person: what the session is for. */
export function taskOf({ messages }: ModelRequest): string {
  return messages.find(({ role }) => role === 'user')?.content ?? ''
}

async function unlessStopped<T>(reply: T | Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>()
  const stop = () => stopped.reject(new Error('stopped'))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([reply, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
