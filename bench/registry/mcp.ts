import type { Contestant } from '../lib/contestant.ts'
import { MCP_V1, MCP_V2, type McpClient, type McpSdk, type McpServer } from '../lib/mcp-peers.ts'
import { type Catalogue, describeTool, makeCatalogue, openAIFunction } from './catalogue.ts'

/** The MCP SDKs: tools registered on a server and listed by a client in the same process. */
export const mcp: readonly Contestant<Catalogue>[] = [MCP_V1, MCP_V2].map((sdk) => ({
  name: `${sdk.name} (registerTool, listTools in memory)`,
  peer: true,
  start: () => startServer(sdk),
}))

async function startServer(sdk: McpSdk): Promise<Catalogue> {
  const makeInput = await sdk.loadInput()
  const server = await sdk.server()
  const client = await sdk.client()
  let connected: Promise<McpClient> | undefined
  return makeCatalogue({
    define(count) {
      for (let i = 0; i < count; i++) {
        const spec = { description: describeTool(i), inputSchema: makeInput(` ${i}`) }
        server.registerTool(`t${i}`, spec, async () => ({ content: [] }))
      }
      return server
    },
    async definitions() {
      connected ??= connect(sdk, server, client)
      const { tools } = await (await connected).listTools()
      return JSON.stringify(
        tools.map(({ name, description, inputSchema }) => openAIFunction(name, description, inputSchema)),
      )
    },
  })
}

async function connect(sdk: McpSdk, server: McpServer, client: McpClient): Promise<McpClient> {
  const [mine, theirs] = await sdk.memoryPair()
  await server.connect(theirs)
  await client.connect(mine)
  return client
}
