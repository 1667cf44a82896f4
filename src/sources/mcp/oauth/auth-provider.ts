import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import type { KeptSignIns, SignIn } from './kept-sign-ins.ts'

/** Whose sign-in it is. */
export interface AuthParts {
  readonly server: string
  readonly url: string
  readonly kept: KeptSignIns
  /** Where the browser comes back to. */
  readonly redirectUrl: string
  readonly state: string
  /** Called with the page that the person must open. */
  onRedirect(page: URL): void
}

/** Thrown where a sign-in has run out, or does not go far enough, and a person must sign in again. */
export class SignInNeeded extends Error {
  override readonly name = 'UnauthorizedError'
}

/** Signs in with what is kept; tokens that run out are renewed, and nobody is asked for anything. */
export function keptProvider(parts: Pick<AuthParts, 'server' | 'url' | 'kept'>): OAuthClientProvider | undefined {
  const known = parts.kept.get(parts.server, parts.url)
  if (known?.tokens === undefined) return undefined
  return createAuthProvider({
    ...parts,
    ...{ redirectUrl: 'http://127.0.0.1/callback', state: '' },
    onRedirect: (page) => {
      const wantedScope = page.searchParams.get('scope')
      if (wantedScope !== null) parts.kept.change(parts.server, parts.url, (now = known) => ({ ...now, wantedScope }))
      throw new SignInNeeded('the sign-in has run out, or does not give the rights that are needed')
    },
  })
}

/** What the SDK signs in with. */
export function createAuthProvider({
  server,
  url,
  kept,
  redirectUrl,
  state,
  onRedirect,
}: AuthParts): OAuthClientProvider {
  let verifier = ''
  const change = (more: Partial<SignIn>) => kept.change(server, url, (now) => ({ ...now, ...more, url }))
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'Haft',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    clientInformation: () => kept.get(server, url)?.client,
    saveClientInformation: (client) => change({ client }),
    tokens: () => kept.get(server, url)?.tokens,
    saveTokens: (tokens) => change({ tokens }),
    redirectToAuthorization: onRedirect,
    saveCodeVerifier(code) {
      verifier = code
    },
    codeVerifier: () => verifier,
    discoveryState: () => kept.get(server, url)?.discovery,
    saveDiscoveryState: (discovery) => change({ discovery }),
    invalidateCredentials(scope) {
      const keeps = (one: typeof scope) => scope !== 'all' && scope !== one
      kept.change(server, url, ({ client, tokens, discovery, ...rest } = { url }) => ({
        ...rest,
        ...(keeps('client') && client && { client }),
        ...(keeps('tokens') && tokens && { tokens }),
        ...(keeps('discovery') && discovery && { discovery }),
      }))
    },
  }
}
