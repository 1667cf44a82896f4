import { AsyncLocalStorage } from 'node:async_hooks'
import type {
  ElicitRequestParams,
  ElicitResult,
  OAuthClientProvider,
  ProgressCallback,
} from '@modelcontextprotocol/client'
import { type Answer, messageOf, ToolError } from '../../core/call/result.ts'
import type { ChangedTool, McpState, McpStatus } from '../../core/mcp/listed-server.ts'
import { describeTarget, isLocal, type McpServerSettings } from '../../core/mcp/mcp-settings.ts'
import type { Loaded } from '../../core/ports/tool-source.ts'
import { printable } from '../../core/text/printable.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import type { AcceptedTools } from './accepted-tools.ts'
import { type Connection, connect } from './connection.ts'
import { diffDefinitions } from './definition.ts'
import { elicit } from './elicit.ts'
import { explainCall, isSignInNeeded } from './explain.ts'
import { LastLines } from './last-lines.ts'
import { readResult } from './read-result.ts'
import { ServerTools, type ToolChange } from './server-tools.ts'

/** What a server needs of the home. */
export interface ServerParts {
  readonly name: string
  readonly settings: McpServerSettings
  /** Fills in the variables of `${NAME}`. Throws where one is not set. */
  expand(settings: McpServerSettings): McpServerSettings
  /** The environment of a program, beside that of its settings. */
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
  readonly accepted: AcceptedTools
  /** Signs in with what is kept of an earlier sign-in; undefined where there is nothing. */
  auth?(): OAuthClientProvider | undefined
  /** Called when state or tools have changed. */
  onChange(): void
}

/** How long connecting may take, in milliseconds. */
const CONNECT = 30_000
/** How long a server that was lost waits until it is started again, in milliseconds; each time twice as long. */
const FIRST_WAIT = 1_000
/** How often it is started again without success before it counts as failed. It is tried again when it is next needed. */
const MAX_RETRIES = 5
/** How long a server must have worked for its next crash to count as the first, in milliseconds. */
const STEADY = 60_000
/** Seconds that a call may take where the settings do not say it. */
const CALL_SECONDS = 60
/** The longest timer. The pipeline ends calls, and holds its own limit while a person is asked. */
const NO_LIMIT = 2 ** 31 - 1
/** How long after one reading of the tools the next may begin, in milliseconds: a server that reports changes without end is not followed faster. */
const BETWEEN_READINGS = 500

/** One MCP server: started when it is needed, started again when it is lost. */
export class McpServer {
  readonly name: string
  readonly settings: McpServerSettings
  readonly #parts: ServerParts
  readonly #tools: ServerTools
  readonly #stderr = new LastLines()
  readonly #closed = new AbortController()
  readonly #calls = new Set<ToolContext>()
  readonly #ownCall = new AsyncLocalStorage<ToolContext>()
  #connection: Connection | undefined
  #starting: Promise<Connection> | undefined
  #retry: NodeJS.Timeout | undefined
  #reading: NodeJS.Timeout | undefined
  #attempts = 0
  #since = 0
  #state: McpState = 'idle'
  #problem: string | undefined

  constructor(parts: ServerParts) {
    this.name = parts.name
    this.settings = parts.settings
    this.#parts = parts
    const { name, settings, accepted } = parts
    this.#tools = new ServerTools(accepted, {
      name,
      target: describeTarget(settings),
      effect: isLocal(settings) ? 'run' : 'network',
      timeout: settings.timeout ?? CALL_SECONDS,
      run: (tool, input, context) => this.#run(tool, input, context),
    })
  }

  /** What the server offers now: what it is known to have while it is not connected, nothing where it cannot be started. */
  load(): Loaded {
    return this.#tools.load(this.#state === 'failed' || this.#state === 'sign-in' ? this.#problem : undefined)
  }

  async status(): Promise<McpStatus> {
    const stderr = this.#stderr.text
    return {
      state: this.#state,
      tools: this.load().tools.length,
      ...(this.#connection && { server: this.#connection.server, protocol: this.#connection.protocol }),
      ...(this.#problem !== undefined && { problem: printable(this.#problem) }),
      ...(stderr !== '' && { stderr: printable(stderr) }),
      changed: await this.#listChanged(),
    }
  }

  /** Starts the server without waiting for it. */
  wake(): void {
    if (this.#retry === undefined) this.ready().catch(() => undefined)
  }

  /** Resolves when the server is connected and its tools are known. Rejects with ToolError where it cannot be reached. */
  async ready(): Promise<Connection> {
    if (this.#connection) return this.#connection
    if (this.#closed.signal.aborted) throw new ToolError('UNAVAILABLE', `The MCP server ${this.name} is closed.`)
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined
    })
    return this.#starting
  }

  /** Accepts the present definition of every tool that was held back. */
  acceptChanges(): void {
    this.#tools.acceptAll()
    this.#parts.onChange()
  }

  async close(): Promise<void> {
    this.#closed.abort()
    clearTimeout(this.#retry)
    clearTimeout(this.#reading)
    await this.#starting?.catch(() => undefined)
    await this.#connection?.close()
  }

  #set(state: McpState, problem?: string): void {
    this.#state = state
    this.#problem = problem
    this.#parts.onChange()
  }

  async #start(): Promise<Connection> {
    this.#set('starting')
    const limit = AbortSignal.timeout(CONNECT)
    let connection: Connection | undefined
    try {
      const { expand, settings, env, folder, auth } = this.#parts
      const provider = auth?.()
      connection = await connect({
        settings: expand(settings),
        ...{ env, folder, signal: AbortSignal.any([limit, this.#closed.signal]) },
        ...(provider && { auth: provider }),
        onStderr: (text) => this.#stderr.add(text),
        onProblem: (problem) => {
          this.#problem = problem
        },
        onToolsChanged: () => this.#readSoon(),
        elicit: (params) => this.#elicit(params),
      })
      this.#tools.set(await connection.listTools())
    } catch (thrown) {
      await connection?.close()
      throw this.#failStart(limit.aborted ? new Error(`it did not answer within ${CONNECT / 1_000} s`) : thrown)
    }
    this.#connection = connection
    this.#since = performance.now()
    this.#set('ready')
    void connection.ended.then((reason) => this.#lose(connection, reason))
    return connection
  }

  #failStart(thrown: unknown): ToolError {
    const reason = messageOf(thrown)
    if (isSignInNeeded(thrown)) {
      const text = `The MCP server ${this.name} wants you to sign in. Run: haft mcp test ${this.name}`
      this.#set('sign-in', text)
      return new ToolError('UNAVAILABLE', text)
    }
    this.#retryLater(reason)
    const last = this.#stderr.text.split('\n').slice(-3).join('\n')
    const said = last === '' ? '' : `\nIt wrote: ${printable(last)}`
    return new ToolError('UNAVAILABLE', `The MCP server ${this.name} cannot be used: ${reason}.${said}`)
  }

  /** Starts the server again after a while; longer each time, and not for ever. */
  #retryLater(reason: string): void {
    if (this.#closed.signal.aborted) return
    if (this.#attempts >= MAX_RETRIES || reason.includes('was not found')) {
      this.#attempts = 0
      this.#set('failed', reason)
      return
    }
    const wait = FIRST_WAIT * 2 ** this.#attempts++
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.ready().catch(() => undefined)
    }, wait).unref()
    this.#set('waiting', reason)
  }

  #lose(connection: Connection, reason: string): void {
    if (this.#connection !== connection) return
    this.#connection = undefined
    void connection.close().catch(() => undefined)
    if (performance.now() - this.#since > STEADY) this.#attempts = 0
    this.#retryLater(reason)
  }

  #readSoon(): void {
    this.#reading ??= setTimeout(async () => {
      const connection = this.#connection
      try {
        if (connection) this.#tools.set(await connection.listTools())
      } catch (thrown) {
        this.#problem = messageOf(thrown)
      }
      this.#reading = undefined
      this.#parts.onChange()
    }, BETWEEN_READINGS).unref()
  }

  async #run(tool: string, input: unknown, context: ToolContext): Promise<Answer> {
    const connection = await this.ready()
    const change = this.#tools.findChange(tool)
    if (change) await this.#askAgain(change, context)
    const { client } = connection
    this.#calls.add(context)
    try {
      const params = { name: tool, arguments: input as Record<string, unknown> }
      const onprogress: ProgressCallback = ({ progress, total, message }) =>
        context.delta(`${progress}${total === undefined ? '' : ` of ${total}`}${message ? ` ${message}` : ''}\n`)
      const options = { signal: context.signal, timeout: NO_LIMIT, onprogress }
      return readResult(await this.#ownCall.run(context, () => client.callTool(params, options)))
    } catch (thrown) {
      const { error, isLost } = await explainCall(thrown, { server: this.name, connection })
      if (isLost && !isLocal(this.settings)) this.#lose(connection, messageOf(thrown))
      throw error
    } finally {
      this.#calls.delete(context)
    }
  }

  /** Asks the person whether a tool may be used that is not what they accepted. Throws DENIED unless they say yes; no rule and no grant answers this. */
  async #askAgain({ accepted, now }: ToolChange, context: ToolContext): Promise<void> {
    const difference = await diffDefinitions(accepted, now)
    const what = `The MCP server ${this.name} has changed its tool ${accepted.name} since you accepted it:`
    const question = `${what}\n${difference}\nUse it as it is now?`
    const given = await context.input({ question, options: ['Yes', 'No'] })
    if (given.answered && /^\s*y(es)?\s*$/i.test(given.answer)) {
      this.#tools.accept(now)
      this.#parts.onChange()
      return
    }
    const why = given.answered ? 'You did not accept it.' : `Nobody accepted it (${given.reason}).`
    const how = `To look at it and accept it: haft mcp test ${this.name} --accept`
    throw new ToolError('DENIED', `${what}\n${difference}\n${why} ${how}`)
  }

  /** Passes a question of the server to the call it belongs to. Without one, or where that cannot be told, nobody is asked. */
  async #elicit(params: ElicitRequestParams): Promise<ElicitResult> {
    const context = this.#ownCall.getStore() ?? this.#onlyCaller()
    return context ? elicit(this.name, params, (question) => context.input(question)) : { action: 'cancel' }
  }

  /** The last call, where all calls under way are of one session. */
  #onlyCaller(): ToolContext | undefined {
    const calls = [...this.#calls]
    return new Set(calls.map(({ session }) => session)).size === 1 ? calls.at(-1) : undefined
  }

  async #listChanged(): Promise<readonly ChangedTool[]> {
    return Promise.all(
      this.#tools.changes().map(async ({ accepted, now }) => ({
        tool: accepted.name,
        difference: await diffDefinitions(accepted, now),
      })),
    )
  }
}
