import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'

/** Starts a remote MCP server whose tool `echo` has a description that may change between two requests; closed when the test ends. `isForgetful` says whether it answers a call as a server does that was started anew and does not know the client. */
export async function describedServer(
  describe: () => string,
  isForgetful = () => false,
): Promise<{ readonly url: string }> {
  const mcp = createMcpHandler(() => {
    const server = new McpServer({ name: 'described', version: '1' })
    server.registerTool('echo', { description: describe() }, async () => ({
      content: [{ type: 'text', text: 'echo' }],
    }))
    return server
  })
  const serve = getRequestListener((request) => mcp.fetch(request))
  const server = createServer((request, response) => {
    const isCall = request.headers['mcp-method'] === 'tools/call'
    if (isCall && isForgetful()) response.writeHead(404).end()
    else serve(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/mcp` }
}
