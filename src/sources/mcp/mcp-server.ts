import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import { type Answer, messageOf, ToolError } from '../../core/call/result.ts'
import type { ChangedTool, McpStatus } from '../../core/mcp/listed-server.ts'
import { describeTarget, isLocal, type McpServerSettings } from '../../core/mcp/mcp-settings.ts'
import type { Loaded } from '../../core/ports/tool-source.ts'
import { printable } from '../../core/text/printable.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import { acceptChange } from './accept-change.ts'
import type { AcceptedTools } from './accepted-tools.ts'
import { bounded } from './bounded.ts'
import { type Connection, connect } from './connection/connection.ts'
import { KeptConnection } from './connection/kept-connection.ts'
import { LastLines } from './connection/last-lines.ts'
import { type Clock, SYSTEM_CLOCK } from './connection/restarts.ts'
import { diffDefinitions } from './definition.ts'
import { explainCall } from './explain.ts'
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
  /** When a server that was lost is started again. */
  readonly clock?: Clock
}

/** Seconds that a call may take where the settings do not say it. */
const CALL_SECONDS = 60
/** How long after one reading of the tools the next may begin, in milliseconds: a server that reports changes without end is not followed faster. */
const BETWEEN_READINGS = 500
/** How many lines of its error output say why a server did not start: enough for the message above the stack of a crash. */
const LAST_WORDS = 20
const PROGRAM_ENVIRONMENT =
  'Of your environment Haft gives it PATH, HOME and the like, proxies, certificates and the settings of npm; name others in its env.'
/** Of how many changed tools the difference is shown. */
const MAX_DIFFERENCES = 20

/** One MCP server: its tools, and the calls of them. */
export class McpServer {
  readonly name: string
  readonly settings: McpServerSettings
  /** The command or the address, without secrets. */
  readonly target: string
  readonly #parts: ServerParts
  readonly #connection: KeptConnection
  readonly #tools: ServerTools
  readonly #stderr = new LastLines()
  readonly #calls: ToolCalls
  #reading: NodeJS.Timeout | undefined

  constructor(parts: ServerParts) {
    const { name, settings, accepted, clock = SYSTEM_CLOCK } = parts
    this.name = name
    this.settings = settings
    this.target = parts.mask(describeTarget(settings))
    this.#parts = parts
    this.#calls = new ToolCalls(name)
    this.#connection = new KeptConnection({
      ...{ name, clock, onChange: parts.onChange },
      open: (signal) => this.#open(signal),
      show: (problem) => parts.mask(printable(bounded(problem))),
      lastWords: () => this.#stderr.text.split('\n').slice(-LAST_WORDS).join('\n'),
      advice: isLocal(settings)
        ? `Run it yourself to see what is wrong, or to download it once: ${bounded(this.target)}\n${PROGRAM_ENVIRONMENT}`
        : 'Check its address, and whether it can be reached from this machine.',
    })
    this.#tools = new ServerTools(accepted, {
      name,
      target: this.target,
      effect: isLocal(settings) ? 'run' : 'network',
      timeout: settings.timeout ?? CALL_SECONDS,
      run: (tool, input, context) => this.#run(tool, input, context),
    })
  }

  get isConnected(): boolean {
    return this.#connection.now !== undefined
  }

  /** What the server offers now: what it is known to have while it is not connected, nothing where it cannot be started. */
  load(): Loaded {
    const { state, problem } = this.#connection
    return this.#tools.load(state === 'failed' || state === 'sign-in' ? problem : undefined)
  }

  async status(): Promise<McpStatus> {
    const { state, problem, now } = this.#connection
    const stderr = this.#stderr.text
    return {
      state,
      tools: this.load().tools.length,
      ...(now && { server: now.server, protocol: now.protocol }),
      ...(problem !== undefined && { problem }),
      ...(stderr !== '' && { stderr: this.#parts.mask(printable(stderr)) }),
      skipped: this.#tools.skipped,
      changed: await this.#listChanged(),
    }
  }

  /** Starts the server without waiting for it. */
  wake(): void {
    this.#connection.wake()
  }

  /** Resolves when the server is connected and its tools are known. Rejects with ToolError where it cannot be reached. */
  async ready(): Promise<void> {
    await this.#connection.ready()
  }

  /** Connects, or asks a server that is connected for its tools anew. Rejects with ToolError where it does not answer. */
  async readAnew(): Promise<void> {
    const { now } = this.#connection
    if (now === undefined) return this.ready()
    try {
      this.#tools.set(await now.listTools())
      this.#parts.onChange()
    } catch (thrown) {
      const reason = messageOf(thrown)
      // One that runs elsewhere may have been started anew and no longer know this connection.
      if (isLocal(this.settings)) {
        this.#connection.noteProblem(reason)
        throw new ToolError('UNAVAILABLE', `The MCP server ${this.name} does not list its tools: ${reason}`)
      }
      this.#connection.lose(now, reason)
      await this.ready()
    }
  }

  /** Accepts the present definition of every tool that was held back. */
  acceptChanges(): void {
    this.#tools.acceptAll()
    this.#parts.onChange()
  }

  async close(): Promise<void> {
    clearTimeout(this.#reading)
    await this.#connection.close()
  }

  /** Connects to the server and reads its tools. */
  async #open(signal: AbortSignal): Promise<Connection> {
    const { expand, settings, env, folder, auth } = this.#parts
    const expanded = expand(settings)
    const provider = isLocal(expanded) ? undefined : auth?.(expanded.url)
    const connection = await connect({
      ...{ settings: expanded, env, folder, signal },
      ...(provider && { auth: provider }),
      onStderr: (text) => this.#stderr.add(text),
      onProblem: (problem) => this.#connection.noteProblem(problem),
      onToolsChanged: () => this.#readSoon(),
      elicit: (params) => this.#calls.elicit(params),
    })
    try {
      this.#tools.set(await connection.listTools())
      return connection
    } catch (thrown) {
      await connection.close()
      throw thrown
    }
  }

  #readSoon(): void {
    this.#reading ??= setTimeout(async () => {
      try {
        const listed = await this.#connection.now?.listTools()
        if (listed) this.#tools.set(listed)
      } catch (thrown) {
        this.#connection.noteProblem(messageOf(thrown))
      }
      this.#reading = undefined
      this.#parts.onChange()
    }, BETWEEN_READINGS).unref()
  }

  async #run(tool: string, input: unknown, context: ToolContext): Promise<Answer> {
    const connection = await this.#connection.ready()
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
      if (isLost && !isLocal(this.settings)) this.#connection.lose(connection, messageOf(thrown))
      // A server that was started anew no longer knows the connection, and has not looked at the call.
      if (isUnheard) return await this.#callAgain(order)
      throw error
    }
  }

  async #callAgain(order: CallOrder): Promise<Answer> {
    const connection = await this.#connection.ready()
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
