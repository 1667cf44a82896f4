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
  /** The scopes that the person was asked to grant, in order. */
  readonly scopes: string[]
  /** Makes the tokens that were given so far useless. */
  expire(): void
  /** From now on calls of tools want this scope too. */
  want(scope: string): void
  /** From now on the person refuses. */
  refuse(): void
  /** From now on the server names another one that gives tokens. */
  nameOther(url: string): void
}

interface GuardedOptions {
  /** The one program that may sign in; without it every program can register itself. */
  readonly client?: { readonly id: string; readonly secret: string }
  /** Its page to sign in, where that is not its own. */
  readonly page?: string
}

function makeServer(): McpServer {
  const server = new McpServer({ name: 'guarded', version: '1' })
  const inputSchema = z.object({ text: z.string().describe('A text') })
  server.registerTool('shout', { description: 'Shouts a text.', inputSchema }, async ({ text }) => ({
    content: [{ type: 'text', text: text.toUpperCase() }],
  }))
  return server
}

function describeIssuer(origin: string, { client, page = `${origin}/authorize` }: GuardedOptions): object {
  const registers = client === undefined
  return {
    issuer: origin,
    authorization_endpoint: page,
    token_endpoint: `${origin}/token`,
    ...(registers && { registration_endpoint: `${origin}/register` }),
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: [registers ? 'none' : 'client_secret_basic'],
    code_challenge_methods_supported: ['S256'],
  }
}

/** Starts one on a free port; closed when the test ends. */
export async function startGuardedServer(options: GuardedOptions = {}): Promise<GuardedServer> {
  const { client } = options
  const mcp = createMcpHandler(makeServer)
  const serveMcp = getRequestListener((request) => mcp.fetch(request))
  const asked: string[] = []
  const scopes: string[] = []
  const now = { valid: '', wanted: '', isRefusing: false, issuer: '' }
  let origin = ''
  const give = (response: ServerResponse, body: object, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const giveToken = async (request: IncomingMessage, response: ServerResponse) => {
    const order = new URLSearchParams(await readAll(request))
    asked.push(order.get('grant_type') ?? '')
    const secret = Buffer.from(`${client?.id}:${client?.secret}`).toString('base64')
    if (client && request.headers.authorization !== `Basic ${secret}`)
      return give(response, { error: 'invalid_client' }, 401)
    now.valid = `token-${asked.length}`
    give(response, {
      access_token: now.valid,
      refresh_token: 'again',
      token_type: 'Bearer',
      expires_in: 3_600,
      scope: scopes.at(-1),
    })
  }
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', origin)
    if (pathname === '/.well-known/oauth-protected-resource/mcp')
      give(response, { resource: `${origin}/mcp`, authorization_servers: [now.issuer || origin] })
    else if (pathname === '/.well-known/oauth-authorization-server') give(response, describeIssuer(origin, options))
    else if (pathname === '/register')
      give(response, { ...JSON.parse(await readAll(request)), client_id: 'haft-1' }, 201)
    else if (pathname === '/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      scopes.push(searchParams.get('scope') ?? '')
      back.searchParams.set(now.isRefusing ? 'error' : 'code', now.isRefusing ? 'access_denied' : 'c1')
      back.searchParams.set('state', searchParams.get('state') ?? '')
      response.writeHead(302, { location: back.href }).end()
    } else if (pathname === '/token') await giveToken(request, response)
    else if (now.valid !== '' && request.headers.authorization === `Bearer ${now.valid}`) {
      const isCall = request.headers['mcp-method'] === 'tools/call'
      if (!isCall || now.wanted === '' || scopes.at(-1)?.split(' ').includes(now.wanted))
        return serveMcp(request, response)
      const challenge = `Bearer error="insufficient_scope", scope="${now.wanted}"`
      response.writeHead(403, { 'www-authenticate': challenge }).end()
    } else {
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
    scopes,
    expire: () => void Object.assign(now, { valid: '' }),
    want: (wanted) => void Object.assign(now, { wanted }),
    refuse: () => void Object.assign(now, { isRefusing: true }),
    nameOther: (issuer) => void Object.assign(now, { issuer }),
  }
}
