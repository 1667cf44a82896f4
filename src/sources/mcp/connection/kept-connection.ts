import { messageOf, ToolError } from '../../../core/call/result.ts'
import type { McpState } from '../../../core/mcp/listed-server.ts'
import { isSignInNeeded } from '../explain.ts'
import type { Connection } from './connection.ts'
import { type Clock, Restarts } from './restarts.ts'

interface KeptConnectionParts {
  /** The name of the server. */
  readonly name: string
  readonly clock: Clock
  /** Connects, and reads what the server offers. */
  open(signal: AbortSignal): Promise<Connection>
  /** What a server, or the system, says is wrong, as it may be shown. */
  show(problem: string): string
  /** The end of what the server wrote to its error output. */
  lastWords(): string
  /** What to check where the server does not answer. */
  readonly advice: string
  /** Called when the state has changed. */
  onChange(): void
}

/** How long connecting may take, in milliseconds. */
const CONNECT = 30_000

/** The connection to one server: opened when it is needed, opened again when it is lost. */
export class KeptConnection {
  readonly #parts: KeptConnectionParts
  readonly #closed = new AbortController()
  readonly #restarts: Restarts
  #open: Connection | undefined
  #opening: Promise<Connection> | undefined
  #state: McpState = 'idle'
  #problem: string | undefined

  constructor(parts: KeptConnectionParts) {
    this.#parts = parts
    this.#restarts = new Restarts(() => void this.ready().catch(() => undefined), parts.clock)
  }

  /** The connection, where there is one now. */
  get now(): Connection | undefined {
    return this.#open
  }

  get state(): McpState {
    return this.#state
  }

  /** Why the server cannot be used now, or what was wrong last. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Notes what was wrong, without ending the connection. */
  noteProblem(problem: string): void {
    this.#problem = this.#parts.show(problem)
  }

  /** Opens the connection without waiting for it, unless that is planned for later. */
  wake(): void {
    if (!this.#restarts.isWaiting) this.ready().catch(() => undefined)
  }

  /** Resolves when the connection is open. Rejects with ToolError where the server cannot be reached. */
  async ready(): Promise<Connection> {
    if (this.#open) return this.#open
    if (this.#closed.signal.aborted) throw new ToolError('UNAVAILABLE', `The MCP server ${this.#parts.name} is closed.`)
    this.#restarts.cancel()
    this.#opening ??= this.#start().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  /** Gives up a connection that can no longer be used, and plans the next one. */
  lose(connection: Connection, reason: string): void {
    if (this.#open !== connection) return
    this.#open = undefined
    void connection.close().catch(() => undefined)
    this.#restarts.noteLost()
    this.#retryLater(this.#parts.show(reason))
  }

  async close(): Promise<void> {
    this.#closed.abort()
    this.#restarts.cancel()
    await this.#opening?.catch(() => undefined)
    await this.#open?.close()
  }

  async #start(): Promise<Connection> {
    this.#set('starting')
    const limit = new AbortController()
    const stopLimit = this.#parts.clock.after(CONNECT, () => limit.abort())
    let connection: Connection
    try {
      connection = await this.#parts.open(AbortSignal.any([limit.signal, this.#closed.signal]))
    } catch (thrown) {
      throw this.#failStart(thrown, limit.signal.aborted)
    } finally {
      stopLimit()
    }
    this.#open = connection
    this.#restarts.noteReady()
    this.#set('ready')
    void connection.ended.then((reason) => this.lose(connection, reason))
    return connection
  }

  #failStart(thrown: unknown, isLate: boolean): ToolError {
    const { name, show, lastWords, advice } = this.#parts
    if (isSignInNeeded(thrown)) {
      const text = `The MCP server ${name} wants you to sign in. Run: haft mcp test ${name}`
      this.#set('sign-in', text)
      return new ToolError('UNAVAILABLE', text)
    }
    const reason = isLate ? `it did not answer within ${CONNECT / 1_000} s` : show(messageOf(thrown))
    this.#retryLater(reason)
    const last = lastWords()
    const output = last === '' ? '' : `\nIt wrote: ${show(last)}`
    const next = isLate ? `\n${advice}` : ''
    return new ToolError('UNAVAILABLE', `The MCP server ${name} cannot be used: ${reason}.${output}${next}`)
  }

  #retryLater(reason: string): void {
    if (this.#closed.signal.aborted) return
    const isPlanned = !reason.includes('was not found') && this.#restarts.plan()
    this.#set(isPlanned ? 'waiting' : 'failed', reason)
  }

  #set(state: McpState, problem?: string): void {
    this.#state = state
    this.#problem = problem
    this.#parts.onChange()
  }
}
