import { once } from 'node:events'
import type { Server } from 'node:http'
import { boundedFetch } from '../bounded-fetch.ts'
import { createAuthProvider } from './auth-provider.ts'
import type { KeptSignIns } from './kept-sign-ins.ts'

/** A sign-in of the person to a remote server. */
export interface SignInOrder {
  readonly server: string
  readonly url: string
  readonly kept: KeptSignIns
  /** Shows the person the page to open. */
  show(page: URL): void
}

/** How long the person has, in milliseconds. */
const PATIENCE = 5 * 60_000

/** Lets the person sign in with their browser, and keeps the tokens. Rejects where they do not, or the server refuses. */
export async function signIn({ server, url, kept, show }: SignInOrder): Promise<void> {
  const { auth, extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client')
  const state = crypto.randomUUID()
  const page = Promise.withResolvers<URLSearchParams>()
  const callback = await listenForBrowser(state, page.resolve)
  const timer = setTimeout(() => page.reject(new Error('nobody signed in within five minutes')), PATIENCE)
  try {
    const refusal = await boundedFetch(url, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(refusal)
    await refusal.body?.cancel()
    // Registered anew each time, since the port of the answer is another one.
    kept.set(server, { url })
    const provider = createAuthProvider({
      ...{ server, url, kept, state },
      redirectUrl: callback.url,
      onRedirect: show,
    })
    const order = {
      ...{ serverUrl: url, fetchFn: boundedFetch },
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      ...(scope !== undefined && { scope }),
    }
    if ((await auth(provider, order)) === 'AUTHORIZED') return
    const given = await page.promise
    const code = given.get('code')
    if (code === null)
      throw new Error(`the server refused the sign-in: ${given.get('error_description') ?? given.get('error')}`)
    const iss = given.get('iss')
    await auth(provider, { ...order, authorizationCode: code, ...(iss !== null && { iss }) })
  } finally {
    clearTimeout(timer)
    callback.server.close()
    callback.server.closeAllConnections()
  }
}

/** Waits on this machine for the browser to come back, with the state that was sent along. */
async function listenForBrowser(
  state: string,
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
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port is free')
  return { server, url: `http://127.0.0.1:${address.port}/callback` }
}
