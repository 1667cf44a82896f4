import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import { type Answer, messageOf, ToolError } from '../../core/call/result.ts'
import type { ChangedTool, McpState, McpStatus } from '../../core/mcp/listed-server.ts'
import { describeTarget, isLocal, type McpServerSettings } from '../../core/mcp/mcp-settings.ts'
import type { Loaded } from '../../core/ports/tool-source.ts'
import { printable } from '../../core/text/printable.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import { acceptChange } from './accept-change.ts'
import type { AcceptedTools } from './accepted-tools.ts'
import { bounded } from './bounded.ts'
import { type Connection, connect } from './connection.ts'
import { diffDefinitions } from './definition.ts'
import { explainCall, isSignInNeeded } from './explain.ts'
import { LastLines } from './last-lines.ts'
import { ServerTools } from './server-tools.ts'
import { type CallOrder, ToolCalls } from './tool-calls.ts'

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
  auth?(url: string): OAuthClientProvider | undefined
  /** Masks the secrets of the settings in what is shown. */
  mask(text: string): string
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
/** How long after one reading of the tools the next may begin, in milliseconds: a server that reports changes without end is not followed faster. */
const BETWEEN_READINGS = 500

/** Of how many changed tools the difference is shown. */
const MAX_DIFFERENCES = 20

/** One MCP server: started when it is needed, started again when it is lost. */
export class McpServer {
  readonly name: string
  readonly settings: McpServerSettings
  /** The command or the address, without secrets. */
  readonly target: string
  readonly #parts: ServerParts
  readonly #tools: ServerTools
  readonly #stderr = new LastLines()
  readonly #closed = new AbortController()
  readonly #calls: ToolCalls
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
    this.#calls = new ToolCalls(parts.name)
    this.settings = parts.settings
    this.#parts = parts
    const { name, settings, accepted } = parts
    this.target = parts.mask(describeTarget(settings))
    this.#tools = new ServerTools(accepted, {
      name,
      target: this.target,
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
      ...(this.#problem !== undefined && { problem: this.#problem }),
      ...(stderr !== '' && { stderr: this.#parts.mask(printable(stderr)) }),
      skipped: this.#tools.skipped,
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

  /** What a server, or the system, says is wrong, as it may be shown. */
  #shown(problem: string): string {
    return this.#parts.mask(printable(bounded(problem)))
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
      const expanded = expand(settings)
      const provider = isLocal(expanded) ? undefined : auth?.(expanded.url)
      connection = await connect({
        settings: expanded,
        ...{ env, folder, signal: AbortSignal.any([limit, this.#closed.signal]) },
        ...(provider && { auth: provider }),
        onStderr: (text) => this.#stderr.add(text),
        onProblem: (problem) => {
          this.#problem = this.#shown(problem)
        },
        onToolsChanged: () => this.#readSoon(),
        elicit: (params) => this.#calls.elicit(params),
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
    const reason = this.#shown(messageOf(thrown))
    if (isSignInNeeded(thrown)) {
      const text = `The MCP server ${this.name} wants you to sign in. Run: haft mcp test ${this.name}`
      this.#set('sign-in', text)
      return new ToolError('UNAVAILABLE', text)
    }
    this.#retryLater(reason)
    const last = this.#stderr.text.split('\n').slice(-3).join('\n')
    const said = last === '' ? '' : `\nIt wrote: ${this.#shown(last)}`
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
    this.#retryLater(this.#shown(reason))
  }

  #readSoon(): void {
    this.#reading ??= setTimeout(async () => {
      const connection = this.#connection
      try {
        if (connection) this.#tools.set(await connection.listTools())
      } catch (thrown) {
        this.#problem = this.#shown(messageOf(thrown))
      }
      this.#reading = undefined
      this.#parts.onChange()
    }, BETWEEN_READINGS).unref()
  }

  async #run(tool: string, input: unknown, context: ToolContext): Promise<Answer> {
    const connection = await this.ready()
    const change = this.#tools.findChange(tool)
    if (change) {
      await acceptChange(this.name, change, context)
      this.#tools.accept(change.now)
      this.#parts.onChange()
    }
    const order = { tool, input, context }
    try {
      return await this.#calls.run(connection.client, order)
    } catch (thrown) {
      const { error, isLost, isUnheard } = await explainCall(thrown, { server: this.name, connection })
      if (isLost && !isLocal(this.settings)) this.#lose(connection, messageOf(thrown))
      // A server that was started anew no longer knows the connection, and has not looked at the call.
      if (isUnheard) return await this.#callAgain(order)
      throw error
    }
  }

  async #callAgain(order: CallOrder): Promise<Answer> {
    const connection = await this.ready()
    if (this.#tools.findChange(order.tool))
      throw new ToolError(
        'UNAVAILABLE',
        `The MCP server ${this.name} was started anew and has changed its tool ${order.tool}. Call it again.`,
      )
    try {
      return await this.#calls.run(connection.client, order)
    } catch (thrown) {
      throw (await explainCall(thrown, { server: this.name, connection })).error
    }
  }

  async #listChanged(): Promise<readonly ChangedTool[]> {
    return Promise.all(
      this.#tools.changes().map(async ({ accepted, now }, at) => ({
        tool: accepted.name,
        difference:
          at < MAX_DIFFERENCES ? await diffDefinitions(accepted, now) : 'Not shown: too many tools have changed.',
      })),
    )
  }
}
