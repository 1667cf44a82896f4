import { once } from 'node:events'
import type { Server } from 'node:http'
import { createMemoryFile } from '../../../core/mcp/kept-file.ts'
import type { McpOAuth } from '../../../core/mcp/mcp-settings.ts'
import { isSafePage } from '../../../core/network/web-url.ts'
import { boundedFetch } from '../connection/bounded-fetch.ts'
import { createAuthProvider } from './auth-provider.ts'
import { type KeptSignIns, openSignIns, type SignIn } from './kept-sign-ins.ts'

/** A sign-in of the person to a remote server. */
export interface SignInOrder {
  readonly server: string
  readonly url: string
  readonly kept: KeptSignIns
  /** How Haft is registered with the server that gives tokens; it registers itself when left out. */
  readonly oauth?: McpOAuth
  /** Shows the person the page to open. */
  show(page: URL): void
}

/** How long the person has, in milliseconds. */
const PATIENCE = 5 * 60_000

/** Lets the person sign in with their browser, and keeps the tokens. Rejects where they do not, or the server refuses; what was kept before stays then. */
export async function signIn({ server, url, kept, oauth, show }: SignInOrder): Promise<void> {
  const { auth, extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client')
  const state = crypto.randomUUID()
  const page = Promise.withResolvers<URLSearchParams>()
  const callback = await listenForBrowser({ state, port: oauth?.port ?? 0 }, page.resolve)
  const timer = setTimeout(() => page.reject(new Error('nobody signed in within five minutes')), PATIENCE)
  try {
    const refusal = await boundedFetch(url, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(refusal)
    await refusal.body?.cancel()
    // Haft registers anew each time, since the port of the answer is another one.
    const fresh = openSignIns(createMemoryFile())
    fresh.change(server, url, () => ({ url, ...(oauth && { client: clientOf(oauth) }) }))
    const provider = createAuthProvider({
      ...{ server, url, kept: fresh, state },
      redirectUrl: callback.url,
      onRedirect(address) {
        if (!isSafePage(address.href)) throw new Error(refusalOf(address))
        show(address)
      },
    })
    const wanted = kept.get(server, url)?.wantedScope ?? scope
    const order = {
      ...{ serverUrl: url, fetchFn: boundedFetch },
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      ...(wanted !== undefined && { scope: wanted }),
    }
    if ((await auth(provider, order)) !== 'AUTHORIZED') {
      const given = await page.promise
      const code = given.get('code')
      if (code === null)
        throw new Error(`the server refused the sign-in: ${given.get('error_description') ?? given.get('error')}`)
      const iss = given.get('iss')
      await auth(provider, { ...order, authorizationCode: code, ...(iss !== null && { iss }) })
    }
    kept.change(server, url, () => ({ url, ...fresh.get(server, url) }))
  } finally {
    clearTimeout(timer)
    callback.server.close()
    callback.server.closeAllConnections()
  }
}

function refusalOf({ protocol }: URL): string {
  return `its page to sign in has an address that starts with ${JSON.stringify(protocol)}, and Haft opens only https:, or http: on this machine. Anything else could start a program here`
}

function clientOf({ clientId, clientSecret }: McpOAuth): NonNullable<SignIn['client']> {
  return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) }
}

/** Waits on this machine for the browser to come back, with the state that was sent along. */
async function listenForBrowser(
  { state, port }: { readonly state: string; readonly port: number },
  found: (params: URLSearchParams) => void,
): Promise<{ readonly server: Server; readonly url: string }> {
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => {
    const asked = URL.parse(request.url ?? '', 'http://127.0.0.1')
    const isRight = asked?.pathname === '/callback' && asked.searchParams.get('state') === state
    response.writeHead(isRight ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' })
    response.end(isRight ? 'Thank you. You can close this page and go back to Haft.' : 'There is nothing here.')
    if (isRight) found(asked.searchParams)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port is free')
  return { server, url: `http://127.0.0.1:${address.port}/callback` }
}
