import { setTimeout } from 'node:timers/promises'
import type { Model, ModelPart, ModelRequest } from '../../core/ports/model.ts'
import { composeReply } from './compose-reply.ts'

/** About the longest time that a reply takes, in milliseconds. */
const LONGEST = 900

/** How the demo model writes. */
export interface DemoOptions {
  /** Milliseconds between words, so that a person sees a reply being written. */
  readonly pause?: number
}

/** Makes the model `demo`: no language model, but a small grammar of commands that become real tool calls. It keeps nothing between requests. */
export function createDemoModel({ pause = 15 }: DemoOptions = {}): Model {
  return {
    name: 'demo',
    stream: (request) => streamReply(request, pause),
    abilities: async () => ({ nativeCalls: true, images: false }),
  }
}

async function* streamReply(request: ModelRequest, pause: number): AsyncGenerator<ModelPart> {
  const { signal } = request
  const { text, calls } = composeReply(request)
  const words = text.match(/\s*\S+/g) ?? []
  // A long text is written faster: nobody wants to wait for the help.
  const wait = Math.min(pause, LONGEST / words.length)
  for (const word of words) {
    signal.throwIfAborted()
    yield { type: 'text', text: word }
    if (wait > 0) await setTimeout(wait, undefined, { signal })
  }
  signal.throwIfAborted()
  const finish = calls.length > 0 ? 'calls' : 'stop'
  yield { type: 'reply', reply: { text, calls, finish, usage: { input: 0, output: 0 }, repairs: [] } }
}
