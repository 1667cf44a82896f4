import type {
  Client,
  ElicitRequestParams,
  ElicitResult,
  OAuthClientProvider,
  Tool,
  Transport,
} from '@modelcontextprotocol/client'
import {
  isLocal,
  type LocalMcpServer,
  type McpServerSettings,
  type RemoteMcpServer,
} from '../../../core/mcp/mcp-settings.ts'
import { printable } from '../../../core/text/printable.ts'
import { bounded } from '../bounded.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { StdioTransport } from './stdio-transport.ts'

/** How a server is reached, and what is done with what it sends. */
export interface ConnectOptions {
  /** With the variables of `${NAME}` filled in. */
  readonly settings: McpServerSettings
  /** The environment of a program, beside that of the settings. */
  readonly env: Readonly<Record<string, string>>
  /** The folder of a program that names none. */
  readonly folder: string
  readonly signal: AbortSignal
  /** Signs in to a remote server. */
  readonly auth?: OAuthClientProvider
  onStderr(text: string): void
  onProblem(problem: string): void
  onToolsChanged(): void
  elicit(params: ElicitRequestParams): Promise<ElicitResult>
}

/** An open connection to a server. */
export interface Connection {
  readonly client: Client
  readonly server: string
  readonly protocol: string
  /** Resolves when the connection is lost or closed, to how it ended, in words. */
  readonly ended: Promise<string>
  listTools(): Promise<readonly Tool[]>
  close(): Promise<void>
}

/** How long a server that knows only the older protocol may be silent when it is asked for the newer one, in milliseconds. */
const PROBE = 10_000
/** The longest name and version of a server that are shown. */
const MAX_NAME = 100
/** A server that sends more messages than this in ten seconds floods. */
const FLOOD = 20_000
const FLOOD_WINDOW = 10_000

/** Connects to a server, in whichever of the two protocol eras it speaks. Rejects with what was wrong, in words. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const opened = await open(options, 'auto')
  try {
    return await opened.connected
  } catch (thrown) {
    await opened.close()
    // Some older servers end when they are asked anything before the handshake.
    if (options.signal.aborted || !opened.hasEndedBySelf()) throw opened.explain(thrown)
  }
  const again = await open(options, 'legacy')
  try {
    return await again.connected
  } catch (thrown) {
    await again.close()
    throw again.explain(thrown)
  }
}

interface Opened {
  readonly connected: Promise<Connection>
  close(): Promise<void>
  /** True for a program that was started and has ended. */
  hasEndedBySelf(): boolean
  explain(thrown: unknown): unknown
}

async function open(options: ConnectOptions, mode: 'auto' | 'legacy'): Promise<Opened> {
  const { settings, signal } = options
  const sdk = await import('@modelcontextprotocol/client')
  const client = new sdk.Client(
    { name: 'haft', version: '1' },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      // Haft checks results itself, by a validator that a pattern of the server cannot stop.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
      versionNegotiation: { mode, probe: { timeoutMs: PROBE } },
      listChanged: { tools: { autoRefresh: false, onChanged: () => options.onToolsChanged() } },
    },
  )
  const transport = isLocal(settings)
    ? startProgram(settings, options, sdk.deserializeMessage)
    : openHttp(settings, options, sdk.StreamableHTTPClientTransport)
  const program = transport instanceof StdioTransport ? transport : undefined
  const ended = Promise.withResolvers<string>()
  const countMessage = createFloodGuard(() => {
    const reason = 'it sent more messages than Haft can read'
    if (program) program.stop(reason)
    else ended.resolve(reason)
  })
  client.onclose = () => ended.resolve(program?.end ?? 'the connection was closed')
  client.onerror = (error) => {
    countMessage()
    options.onProblem(error.message)
  }
  countMessages(transport, countMessage)
  client.setRequestHandler('elicitation/create', ({ params }) => options.elicit(params))
  const finish = async (): Promise<Connection> => {
    // The first question to a server does not end with the signal by itself.
    const stop = () => (program ? program.stop('it was stopped') : void transport.close())
    signal.addEventListener('abort', stop, { once: true })
    await client.connect(transport, { signal })
    signal.removeEventListener('abort', stop)
    const info = client.getServerVersion()
    return {
      client,
      server:
        info === undefined
          ? ''
          : bounded(printable(`${bounded(info.title ?? info.name)} ${bounded(info.version)}`), MAX_NAME),
      protocol: client.getNegotiatedProtocolVersion() ?? '',
      ended: ended.promise,
      async listTools() {
        const options = { signal: AbortSignal.timeout(PROBE * 3), cacheMode: 'refresh' } as const
        return (await client.listTools(undefined, options)).tools
      },
      close: () => client.close(),
    }
  }
  return {
    connected: finish(),
    close: async () => {
      await client.close().catch(() => undefined)
      await transport.close().catch(() => undefined)
    },
    hasEndedBySelf: () => program?.end?.startsWith('it ended') ?? false,
    explain: (thrown) => (program?.end === undefined ? thrown : new Error(program.end, { cause: thrown })),
  }
}

function startProgram(
  settings: LocalMcpServer,
  { env, folder, onStderr }: ConnectOptions,
  read: ConstructorParameters<typeof StdioTransport>[1],
): StdioTransport {
  const { command, args = [], cwd = folder } = settings
  return new StdioTransport({ command, args, env: { ...env, ...settings.env }, cwd, onStderr }, read)
}

function openHttp(
  settings: RemoteMcpServer,
  { auth }: ConnectOptions,
  Transport: typeof import('@modelcontextprotocol/client').StreamableHTTPClientTransport,
) {
  return new Transport(new URL(settings.url), {
    fetch: boundedFetch,
    ...(settings.headers && { requestInit: { headers: settings.headers } }),
    ...(auth && { authProvider: auth }),
  })
}

/** Calls `count` for every message that a transport receives, before it is handled. */
function countMessages(transport: Transport, count: () => void): void {
  let handler: Transport['onmessage']
  Object.defineProperty(transport, 'onmessage', {
    get: () => handler,
    set(given: Transport['onmessage']) {
      handler =
        given &&
        ((message, extra) => {
          count()
          given(message, extra)
        })
    },
  })
}

/** Returns a function that counts one message, and acts when there are too many of them in a short time. */
function createFloodGuard(act: () => void): () => void {
  let since = performance.now()
  let count = 0
  return () => {
    const now = performance.now()
    if (now - since > FLOOD_WINDOW) {
      since = now
      count = 0
    }
    if (++count === FLOOD) act()
  }
}
