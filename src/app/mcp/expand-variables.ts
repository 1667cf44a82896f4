import { isLocal, type McpServerSettings } from '../../core/mcp/mcp-settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Fills in `${NAME}` and `${NAME:-default}` in arguments, environment, address and headers. Throws where a variable is not set. */
export function expandVariables(settings: McpServerSettings, env: Environment): McpServerSettings {
  const fill = (text: string) =>
    text.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_, name: string, usual: string | undefined) => {
      const value = env[name] ?? usual
      if (value === undefined) throw new Error(`the variable ${name}, which its settings name, is not set`)
      return value
    })
  const fillAll = (record: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, fill(value)]))
  if (isLocal(settings)) {
    const { args, env: own } = settings
    return { ...settings, ...(args && { args: args.map(fill) }), ...(own && { env: fillAll(own) }) }
  }
  const { url, headers, oauth } = settings
  const { clientId = '', clientSecret } = oauth ?? {}
  const own = { ...oauth, clientId: fill(clientId), ...(clientSecret && { clientSecret: fill(clientSecret) }) }
  return { ...settings, url: fill(url), ...(headers && { headers: fillAll(headers) }), ...(oauth && { oauth: own }) }
}
