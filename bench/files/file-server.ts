import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The reference MCP file server, called over a real stdio connection. */
export interface FileServer {
  call(name: string, args: object): Promise<void>
  close(): Promise<void>
}

interface Sdk {
  readonly Client: new (
    info: object,
  ) => {
    connect(transport: object): Promise<void>
    callTool(call: object): Promise<{ readonly isError?: boolean; readonly content: unknown }>
    close(): Promise<void>
  }
  readonly StdioClientTransport: new (options: object) => object
}

/** Starts the server for a folder. Throws where the peers of this topic are not installed. */
export async function startFileServer(folder: string): Promise<FileServer> {
  const { Client, StdioClientTransport } = await loadSdk()
  const server = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [server, folder], stderr: 'ignore' }),
  )
  return {
    async call(name, args) {
      const answer = await client.callTool({ name, arguments: args })
      if (answer.isError) throw new Error(JSON.stringify(answer.content).slice(0, 300))
    },
    close: () => client.close(),
  }
}

async function loadSdk(): Promise<Sdk> {
  const require = createRequire(import.meta.url)
  const load = (path: string) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${path}`)).href)
  return { ...(await load('client/index.js')), ...(await load('client/stdio.js')) } as Sdk
}
