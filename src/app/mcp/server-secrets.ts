import { isLocal, type McpServerSettings } from '../../core/mcp/mcp-settings.ts'
import { secretsOf } from '../../core/secrets/env-values.ts'

/** Returns the secrets in the settings of a server, whose variables are filled in: in its environment, its headers, the query of its address and its registration. */
export function listServerSecrets(settings: McpServerSettings): readonly string[] {
  if (isLocal(settings)) return findSecrets(Object.entries(settings.env ?? {}))
  const { url, headers = {}, oauth } = settings
  return findSecrets([
    ...Object.entries(headers).map(([name, value]): [string, string] => [name, value.replace(SCHEME, '')]),
    ...(URL.parse(url)?.searchParams ?? []),
    ...(oauth?.clientSecret === undefined ? [] : [['client_secret', oauth.clientSecret] as const]),
  ])
}

const SCHEME = /^(?:bearer|basic|token|apikey)\s+/i

function findSecrets(pairs: readonly (readonly [string, string])[]): string[] {
  return pairs.flatMap(([name, value]) => secretsOf(name, value))
}
