import type { EchoArguments } from '../lib/echo-tool.ts'
import { MCP_V1, MCP_V2, type McpSdk, type McpServer } from '../lib/mcp-peers.ts'

/** A server with the echo tool, not yet connected. */
export async function makeEchoServer(sdk: McpSdk): Promise<McpServer> {
  const server = await sdk.server()
  const makeInput = await sdk.loadInput()
  const spec = { description: 'Echo', inputSchema: makeInput() }
  server.registerTool('echo', spec, async (given: EchoArguments) => ({
    content: [{ type: 'text', text: JSON.stringify(given) }],
  }))
  return server
}

if (import.meta.main) {
  const sdk = process.argv[2] === MCP_V1.name ? MCP_V1 : MCP_V2
  const server = await makeEchoServer(sdk)
  await server.connect(await sdk.stdioServer())
}
