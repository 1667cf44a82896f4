import { AsyncLocalStorage } from 'node:async_hooks'
import type { Client, ElicitRequestParams, ElicitResult, ProgressCallback } from '@modelcontextprotocol/client'
import type { Answer } from '../../core/call/result.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import { elicit } from './elicit.ts'
import { readResult } from './read-result.ts'

/** A call of one of a server's tools. */
export interface CallOrder {
  readonly tool: string
  readonly input: unknown
  readonly context: ToolContext
}

/** The longest timer. The pipeline ends calls, and holds its own limit while a person is asked. */
const NO_LIMIT = 2 ** 31 - 1

/** The calls that a server has under way, and whom its questions go to. */
export class ToolCalls {
  readonly #server: string
  readonly #contexts = new Set<ToolContext>()
  readonly #ownCall = new AsyncLocalStorage<ToolContext>()

  constructor(server: string) {
    this.#server = server
  }

  /** Calls a tool. Rejects with ToolError where the server says that the call failed, else as the SDK does. */
  async run(client: Client, { tool, input, context }: CallOrder): Promise<Answer> {
    const params = { name: tool, arguments: input as Record<string, unknown> }
    const onprogress: ProgressCallback = ({ progress, total, message }) =>
      context.delta(`${progress}${total === undefined ? '' : ` of ${total}`}${message ? ` ${message}` : ''}\n`)
    const options = { signal: context.signal, timeout: NO_LIMIT, onprogress }
    this.#contexts.add(context)
    try {
      return readResult(await this.#ownCall.run(context, () => client.callTool(params, options)))
    } finally {
      this.#contexts.delete(context)
    }
  }

  /** Passes a question of the server to the call it belongs to. Without one, or where that cannot be told, nobody is asked. */
  async elicit(params: ElicitRequestParams): Promise<ElicitResult> {
    const context = this.#ownCall.getStore() ?? this.#onlyCaller()
    return context ? elicit(this.#server, params, (question) => context.input(question)) : { action: 'cancel' }
  }

  /** The last call, where all calls under way are of one session. */
  #onlyCaller(): ToolContext | undefined {
    const calls = [...this.#contexts]
    return new Set(calls.map(({ session }) => session)).size === 1 ? calls.at(-1) : undefined
  }
}
