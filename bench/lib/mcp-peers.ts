import { echoZod } from './echo-tool.ts'
import { importPeer } from './import-peer.ts'

/** One end of a connection; opaque to us. */
export type Transport = object

/** A server of either MCP SDK. */
export interface McpServer {
  registerTool(name: string, spec: { description: string; inputSchema: object }, run: unknown): void
  connect(transport: Transport): Promise<void>
}

/** A client of either MCP SDK. */
export interface McpClient {
  connect(transport: Transport): Promise<void>
  listTools(): Promise<{
    readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: object }[]
  }>
  callTool(call: { name: string; arguments: object }): Promise<{ readonly content: readonly { text?: string }[] }>
}

interface About {
  readonly name: string
  readonly version: string
}

type ServerModule = { McpServer: new (about: About) => McpServer }
type ClientModule = { Client: new (about: About) => McpClient }
type MemoryModule = { InMemoryTransport: { createLinkedPair(): [Transport, Transport] } }
type StdioClientModule = { StdioClientTransport: new (server: { command: string; args: string[] }) => Transport }
type StdioServerModule = { StdioServerTransport: new () => Transport }

/** One generation of the MCP SDK, each part loaded when asked for. */
export interface McpSdk {
  readonly name: string
  server(): Promise<McpServer>
  client(): Promise<McpClient>
  memoryPair(): Promise<[Transport, Transport]>
  stdioClient(command: string, args: string[]): Promise<Transport>
  stdioServer(): Promise<Transport>
  /** How the echo input is made as this SDK takes it. */
  loadInput(): Promise<(suffix?: string) => object>
}

const ABOUT: About = { name: 'bench', version: '1' }

function makeSdk(name: string, parts: Record<'server' | 'client' | 'memory' | 'stdioClient' | 'stdioServer', string>) {
  return {
    name,
    server: async () => new (await importPeer<ServerModule>(parts.server)).McpServer(ABOUT),
    client: async () => new (await importPeer<ClientModule>(parts.client)).Client(ABOUT),
    memoryPair: async () => (await importPeer<MemoryModule>(parts.memory)).InMemoryTransport.createLinkedPair(),
    stdioClient: async (command: string, args: string[]) =>
      new (await importPeer<StdioClientModule>(parts.stdioClient)).StdioClientTransport({ command, args }),
    stdioServer: async () => new (await importPeer<StdioServerModule>(parts.stdioServer)).StdioServerTransport(),
  }
}

export const MCP_V1: McpSdk = {
  ...makeSdk('MCP SDK v1', {
    server: '@modelcontextprotocol/sdk/server/mcp.js',
    client: '@modelcontextprotocol/sdk/client/index.js',
    memory: '@modelcontextprotocol/sdk/inMemory.js',
    stdioClient: '@modelcontextprotocol/sdk/client/stdio.js',
    stdioServer: '@modelcontextprotocol/sdk/server/stdio.js',
  }),
  async loadInput() {
    const { z } = await import('zod')
    return (suffix) => echoZod(z, suffix).shape
  },
}

export const MCP_V2: McpSdk = {
  ...makeSdk('MCP SDK v2', {
    server: '@modelcontextprotocol/server',
    client: '@modelcontextprotocol/client',
    memory: '@modelcontextprotocol/client',
    stdioClient: '@modelcontextprotocol/client/stdio',
    stdioServer: '@modelcontextprotocol/server/stdio',
  }),
  async loadInput() {
    const { z } = await import('zod')
    return (suffix) => echoZod(z, suffix)
  },
}
