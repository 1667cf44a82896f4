import type { OAuthDiscoveryState, StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client'
import type { KeptFile } from '../../../core/mcp/kept-file.ts'
import { isRecord } from '../../../core/text/json.ts'

/** What is kept of a sign-in to a remote server. */
export interface SignIn {
  /** The address that it is for; tokens are sent nowhere else. */
  readonly url: string
  /** How Haft is registered with the server that gives tokens. */
  readonly client?: StoredOAuthClientInformation
  readonly tokens?: StoredOAuthTokens
  /** Which server gives the tokens, as it was found at the sign-in. A later answer of the MCP server cannot send them elsewhere. */
  readonly discovery?: OAuthDiscoveryState
  /** The rights that the server wanted and the tokens do not have; the next sign-in asks for them. */
  readonly wantedScope?: string
}

/** The sign-ins of a home, by server, in a file that only its owner can read. */
export interface KeptSignIns {
  get(server: string, url: string): SignIn | undefined
  /** Replaces the sign-in by what `next` makes of the present one; of several processes one at a time. */
  change(server: string, url: string, next: (before: SignIn | undefined) => SignIn): void
  forget(server: string): void
}

/** Opens the sign-ins that a file holds. */
export function openSignIns(file: KeptFile): KeptSignIns {
  const find = (content: Record<string, unknown>, server: string, url: string) => {
    const kept = Object.hasOwn(content, server) ? content[server] : undefined
    return isSignIn(kept) && kept.url === url ? kept : undefined
  }
  return {
    get: (server, url) => find(readSignIns(file), server, url),
    change(server, url, next) {
      file.change(() => {
        const content = readSignIns(file)
        return JSON.stringify({ ...content, [server]: next(find(content, server, url)) })
      })
    },
    forget(server) {
      if (Object.hasOwn(readSignIns(file), server))
        file.change(() => JSON.stringify({ ...readSignIns(file), [server]: undefined }))
    },
  }
}

/** Data enters here: the rest was written by the SDK, which checks it again. */
function isSignIn(value: unknown): value is SignIn {
  return isRecord(value) && typeof value.url === 'string'
}

function readSignIns(file: KeptFile): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(file.read() ?? '{}')
    return isRecord(parsed) ? parsed : {}
  } catch {
    throw new Error(
      `${file.path} holds your sign-ins to MCP servers and cannot be read. Repair it, or delete it and sign in again.`,
    )
  }
}
