import { type Client, createClient, HaftError } from '../../../src/client/client.ts'

export { HaftError as ApiError }

const TOKEN = 'haft-token'

const client = createClient({ token: () => localStorage.getItem(TOKEN) ?? undefined })

/** The client of this page's server. */
export function api(): Client {
  return client
}

/** Exchanges the code in the address for a token, or checks the token of an earlier visit. Resolves to what is wrong, or undefined. */
export async function signIn(): Promise<string | undefined> {
  const code =
    new URLSearchParams(location.hash.slice(1)).get('code') ?? new URLSearchParams(location.search).get('code')
  if (code !== null) {
    history.replaceState(null, '', location.pathname)
    try {
      const { token } = await client.signIn({ code })
      localStorage.setItem(TOKEN, token)
      return undefined
    } catch (thrown) {
      if (localStorage.getItem(TOKEN) === null) return messageOf(thrown)
    }
  }
  if (localStorage.getItem(TOKEN) === null) return ''
  try {
    await client.health()
    return undefined
  } catch (thrown) {
    // Without a connection the page shows what it has and tries again; a refused token needs a new link.
    return thrown instanceof HaftError && thrown.status === 401 ? messageOf(thrown) : undefined
  }
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
