import { isLocal, type McpOAuth, type McpServerSettings } from '../core/mcp/mcp-settings.ts'
import { type Check, list, named, type Problem, positive, table, text, webAddress } from './check-value.ts'

interface Members {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly oauth: McpOAuth
  readonly timeout: number
}

/** Accepts any text, also an empty one, which is a usual value of an argument or a variable. */
const anyText: Check<string> = (value, path, report) => {
  if (typeof value === 'string') return value
  report({ path, message: `expected a text, not ${JSON.stringify(value)}` })
  return undefined
}

const NEEDS = 'a server needs a command, or the url of one that runs elsewhere'

const checkOAuthMembers: Check<Partial<McpOAuth>> = table<McpOAuth>({
  clientId: { key: 'client_id', check: text, required: { message: 'a registration needs a client_id' } },
  clientSecret: { key: 'client_secret', check: text },
  port: { key: 'port', check: positive },
})

const checkOAuth: Check<McpOAuth> = (value, path, report) => {
  const { clientId, ...rest } = checkOAuthMembers(value, path, report) ?? {}
  return clientId === undefined ? undefined : { clientId, ...rest }
}

const checkMembers: Check<Partial<Members>> = table<Members>({
  command: { key: 'command', check: text, required: { message: NEEDS, unless: ['url'] } },
  args: { key: 'args', check: list(anyText) },
  env: { key: 'env', check: named(anyText) },
  cwd: { key: 'cwd', check: text },
  url: { key: 'url', check: webAddress },
  headers: { key: 'headers', check: named(anyText) },
  oauth: { key: 'oauth', check: checkOAuth },
  timeout: { key: 'timeout', check: positive },
})

/** What belongs to the other kind of server only. */
const FOREIGN = { command: ['headers', 'oauth', 'url'], url: ['args', 'env', 'cwd'] } as const

/** A name becomes the first part of each tool's name. */
export function isServerName(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_-]{0,39}$/.test(name)
}

/** One `[mcp.NAME]` table. */
const checkServer: Check<McpServerSettings> = (value, path, report) => {
  if (!isServerName(String(path.at(-1))))
    report({ path, message: 'the name of a server has 1 to 40 letters, digits, _ and -' })
  const problems: Problem[] = []
  const given = checkMembers(value, path, (problem) => problems.push(problem)) ?? {}
  const { command, url, args, env, cwd, headers, oauth, timeout } = given
  const kind = command === undefined ? 'url' : 'command'
  for (const key of FOREIGN[kind])
    if (given[key] !== undefined && (command ?? url) !== undefined)
      problems.push({ path: [...path, key], message: `a server with a ${kind} has no ${key}` })
  for (const problem of problems) report(problem)
  const limit = timeout !== undefined && { timeout }
  if (command !== undefined)
    return { command, ...(args && { args }), ...(env && { env }), ...(cwd && { cwd }), ...limit }
  return url === undefined ? undefined : { url, ...(headers && { headers }), ...(oauth && { oauth }), ...limit }
}

/** All `[mcp.NAME]` tables. */
export const checkMcpServers: Check<Readonly<Record<string, McpServerSettings>>> = named(checkServer)

/** A server as the keys of a settings file. */
export function writeMcpServer(settings: McpServerSettings): Record<string, unknown> {
  if (isLocal(settings) || settings.oauth === undefined) return { ...settings }
  const { clientId, clientSecret, port } = settings.oauth
  const secret = clientSecret !== undefined && { client_secret: clientSecret }
  return { ...settings, oauth: { client_id: clientId, ...secret, ...(port !== undefined && { port }) } }
}
