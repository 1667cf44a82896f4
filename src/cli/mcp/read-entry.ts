import { basename } from 'node:path'
import type { McpOAuth, McpServerSettings } from '../../core/mcp/mcp-settings.ts'
import { isRecord } from '../../core/text/json.ts'

/** The programs whose lists of MCP servers can be read. */
export const CLIENTS = ['claude', 'cursor', 'vscode', 'gemini'] as const
export type ClientName = (typeof CLIENTS)[number]

/** A server that another program is set up with. */
export interface FoundServer {
  readonly name: string
  readonly file: string
  /** Undefined where Haft cannot use it. */
  readonly settings?: McpServerSettings
  readonly problem?: string
}

/** Where an entry was found, for the variables that it may use. */
interface Origin {
  readonly client: ClientName
  readonly workspace: string
  readonly home: string
}

type Fill = (text: string) => string

/** Turns an entry of another program into settings of Haft, or says why it cannot be used. */
export function readEntry(value: unknown, origin: Origin): Pick<FoundServer, 'settings' | 'problem'> {
  if (!isRecord(value)) return { problem: 'its entry is not an object' }
  const problem = findProblem(value)
  if (problem !== undefined) return { problem }
  const { command, args, env, cwd, headers } = value
  const fill: Fill = (text) => convert(text, origin)
  // Gemini counts in milliseconds.
  const timeout = origin.client === 'gemini' && typeof value.timeout === 'number' ? value.timeout / 1_000 : undefined
  const limit = timeout !== undefined && timeout > 0 && { timeout: Math.ceil(timeout) }
  if (typeof command === 'string')
    return {
      settings: {
        command: fill(command),
        ...(Array.isArray(args) && { args: args.map((one) => fill(String(one))) }),
        ...(isRecord(env) && { env: fillAll(env, fill) }),
        ...(typeof cwd === 'string' && { cwd: fill(cwd) }),
        ...limit,
      },
    }
  const url = value.httpUrl ?? value.url ?? value.serverUrl
  if (typeof url !== 'string') return { problem: 'it has neither a command nor an address' }
  const oauth = readOAuth(value, fill)
  const settings: McpServerSettings = {
    url: fill(url),
    ...(isRecord(headers) && { headers: fillAll(headers, fill) }),
    ...(oauth && { oauth }),
    ...limit,
  }
  return { settings }
}

/** What Haft does not do. Such an entry would start with less than it needs. */
function findProblem(value: Readonly<Record<string, unknown>>): string | undefined {
  if (/\$\{(?:input|command|config):/.test(JSON.stringify(value)))
    return 'it asks for a value at each start, which Haft does not'
  if (value.envFile !== undefined) return 'it reads variables from a file (envFile); add it with --env instead'
  if (value.headersHelper !== undefined)
    return 'it runs a program for its headers (headersHelper); add it with --header instead'
  if (value.disabled === true) return 'it is switched off there (disabled)'
  if (value.type === 'sse') return 'it speaks the older SSE transport, which Haft does not'
  if (value.type === 'ws') return 'it speaks over a WebSocket, which Haft does not'
  return undefined
}

/** A registration: `oauth` of Claude, VS Code and Gemini, `auth` of Cursor. */
function readOAuth({ oauth, auth }: Readonly<Record<string, unknown>>, fill: Fill): McpOAuth | undefined {
  const given = isRecord(oauth) ? oauth : isRecord(auth) ? auth : {}
  const text = (...names: string[]) => names.map((name) => given[name]).find((one) => typeof one === 'string')
  const clientId = text('clientId', 'CLIENT_ID')
  const clientSecret = text('clientSecret', 'CLIENT_SECRET')
  if (clientId === undefined) return undefined
  return {
    clientId: fill(clientId),
    ...(clientSecret !== undefined && { clientSecret: fill(clientSecret) }),
    ...(typeof given.callbackPort === 'number' && { port: given.callbackPort }),
  }
}

function fillAll(record: Readonly<Record<string, unknown>>, fill: Fill): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, fill(String(value ?? ''))]))
}

/** Fills in the folders that other programs name, and writes their variables (`${env:NAME}`, and `$NAME` of Gemini) as Haft does. */
function convert(text: string, { client, workspace, home }: Origin): string {
  const folders: Readonly<Record<string, string>> = {
    workspaceFolder: workspace,
    workspaceFolderBasename: basename(workspace),
    userHome: home,
    pathSeparator: '/',
    '/': '/',
  }
  const filled = text
    .replace(/\$\{(\w+|\/)\}/g, (whole, name: string) =>
      Object.hasOwn(folders, name) ? (folders[name] ?? whole) : whole,
    )
    .replace(/\$\{env:(\w+)\}/g, (_, name: string) => `\${${name}}`)
  return client === 'gemini' ? filled.replace(/\$([A-Za-z_]\w*)/g, (_, name: string) => `\${${name}}`) : filled
}
