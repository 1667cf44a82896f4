import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text as readAll } from 'node:stream/consumers'
import { getRequestListener } from '@hono/node-server'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

/** A remote MCP server that wants a sign-in, and gives the tokens itself. */
export interface GuardedServer {
  readonly url: string
  /** What was asked of the part that gives tokens, in order. */
  readonly asked: string[]
  /** Makes the tokens that were given so far useless. */
  expire(): void
}

function makeServer(): McpServer {
  const server = new McpServer({ name: 'guarded', version: '1' })
  const inputSchema = z.object({ text: z.string().describe('A text') })
  server.registerTool('shout', { description: 'Shouts a text.', inputSchema }, async ({ text }) => ({
    content: [{ type: 'text', text: text.toUpperCase() }],
  }))
  return server
}

/** Starts one on a free port; closed when the test ends. */
export async function startGuardedServer(): Promise<GuardedServer> {
  const mcp = createMcpHandler(makeServer)
  const serveMcp = getRequestListener((request) => mcp.fetch(request))
  const asked: string[] = []
  let valid = ''
  let origin = ''
  const give = (response: ServerResponse, body: object, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const giveToken = async (request: IncomingMessage, response: ServerResponse) => {
    const order = new URLSearchParams(await readAll(request))
    asked.push(order.get('grant_type') ?? '')
    valid = `token-${asked.length}`
    give(response, { access_token: valid, refresh_token: 'again', token_type: 'Bearer', expires_in: 3_600 })
  }
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', origin)
    if (pathname === '/.well-known/oauth-protected-resource/mcp')
      give(response, { resource: `${origin}/mcp`, authorization_servers: [origin] })
    else if (pathname === '/.well-known/oauth-authorization-server')
      give(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
        code_challenge_methods_supported: ['S256'],
      })
    else if (pathname === '/register')
      give(response, { ...JSON.parse(await readAll(request)), client_id: 'haft-1' }, 201)
    else if (pathname === '/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', 'c1')
      back.searchParams.set('state', searchParams.get('state') ?? '')
      response.writeHead(302, { location: back.href }).end()
    } else if (pathname === '/token') await giveToken(request, response)
    else if (valid !== '' && request.headers.authorization === `Bearer ${valid}`) await serveMcp(request, response)
    else {
      const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
      response.writeHead(401, { 'www-authenticate': challenge }).end()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  return {
    url: `${origin}/mcp`,
    asked,
    expire() {
      valid = ''
    },
  }
}
