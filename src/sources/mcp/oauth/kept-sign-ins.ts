import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { OAuthDiscoveryState, StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client'
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
  set(server: string, signIn: SignIn): void
  forget(server: string): void
}

/** Opens the sign-ins that a file holds; without a file they last as long as the process. */
export function openSignIns(path: string | undefined): KeptSignIns {
  const memory: Record<string, unknown> = {}
  const read = () => (path === undefined ? memory : readFile(path))
  const write = (content: Record<string, unknown>): void => {
    if (path === undefined) return void Object.assign(memory, content)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(`${path}.${process.pid}`, JSON.stringify(content), { mode: 0o600 })
    renameSync(`${path}.${process.pid}`, path)
  }
  return {
    get(server, url) {
      const content = read()
      const kept = Object.hasOwn(content, server) ? content[server] : undefined
      return isSignIn(kept) && kept.url === url ? kept : undefined
    },
    set: (server, signIn) => write({ ...read(), [server]: signIn }),
    forget(server) {
      const content = read()
      if (Object.hasOwn(content, server)) write({ ...content, [server]: undefined })
    },
  }
}

/** Data enters here: the rest was written by the SDK, which checks it again. */
function isSignIn(value: unknown): value is SignIn {
  return isRecord(value) && typeof value.url === 'string'
}

function readFile(path: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isRecord(parsed) ? parsed : {}
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR'))
      return {}
    throw new Error(
      `${path} holds your sign-ins to MCP servers and cannot be read. Repair it, or delete it and sign in again.`,
    )
  }
}
