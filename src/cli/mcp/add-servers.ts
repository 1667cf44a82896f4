import type { McpServers } from '../../app/mcp/mcp-servers.ts'
import { messageOf } from '../../core/call/result.ts'
import type { McpServerSettings } from '../../core/mcp/mcp-settings.ts'
import { wrapFor } from '../output/report-problem.ts'
import { type Cli, EXIT, paintError, workspaceOf } from '../terminal/front-end.ts'
import { findServers } from './other-clients.ts'
import type { ClientName } from './read-entry.ts'
import { printTested } from './server-lines.ts'
import { signingIn } from './show-sign-in.ts'

/** The flags of `haft mcp add`. */
export interface AddServerOptions {
  url?: string
  env?: readonly string[]
  header?: readonly string[]
  from?: ClientName
  timeout?: string
  clientId?: string
  clientSecret?: string
  callbackPort?: string
  workspace?: string
}

/** Adds a server, or those of another program; each is tried first, and stored only where it answers. */
export async function addServers(
  cli: Cli,
  mcp: McpServers,
  order: { readonly name: string | undefined; readonly command: readonly string[]; readonly options: AddServerOptions },
): Promise<number> {
  const { name, options } = order
  if (options.from !== undefined) return addFound(cli, mcp, options.from, order)
  const settings = readOrder(order)
  if (name === undefined || typeof settings === 'string') {
    const what = typeof settings === 'string' ? settings : 'Give the server a name'
    refuse(
      cli,
      `${what}: haft mcp add NAME -- COMMAND ARGS…, or haft mcp add NAME --url ADDRESS, or haft mcp add --from claude.`,
    )
    return EXIT.usage
  }
  return (await addOne(cli, mcp, name, settings)) ? EXIT.ok : EXIT.failed
}

async function addOne(cli: Cli, mcp: McpServers, name: string, settings: McpServerSettings): Promise<boolean> {
  try {
    printTested(cli, await mcp.add(name, settings, signingIn(cli)))
    return true
  } catch (thrown) {
    refuse(cli, `${name} was not added: ${messageOf(thrown)}`)
    return false
  }
}

/** Adds what another program is set up with: all of it, or the server of a name. */
async function addFound(
  cli: Cli,
  mcp: McpServers,
  client: ClientName,
  { name, options }: { readonly name: string | undefined; readonly options: AddServerOptions },
): Promise<number> {
  const { servers, files } = await findServers(client, { workspace: workspaceOf(options) })
  const wanted = servers.filter((one) => name === undefined || one.name === name)
  if (wanted.length === 0) {
    const what = name === undefined ? 'No MCP server was found' : `There is no MCP server ${JSON.stringify(name)}`
    refuse(cli, `${what} in ${files.join(', ')}.`)
    return EXIT.failed
  }
  let failed = 0
  for (const { name: found, settings, problem, file } of wanted) {
    if (settings && (await addOne(cli, mcp, found, settings))) continue
    failed++
    if (problem !== undefined) refuse(cli, `${found} of ${file} was not added: ${problem}.`)
  }
  return failed === 0 ? EXIT.ok : EXIT.failed
}

function refuse(cli: Cli, text: string): void {
  cli.printError(paintError('red', wrapFor(process.stderr, text).join('\n')))
}

/** Returns the settings that the command line describes, or what is wrong with it. */
function readOrder({ command, options }: { readonly command: readonly string[]; readonly options: AddServerOptions }) {
  const { url, env = [], header = [], timeout, clientId, clientSecret, callbackPort } = options
  const limit = timeout === undefined ? {} : { timeout: Number(timeout) }
  const [program, ...args] = command
  if ((program === undefined) === (url === undefined)) return 'Give either a command or --url'
  const variables = readPairs(env, '=')
  const headers = readPairs(header, ':')
  if (variables === undefined) return '--env takes NAME=VALUE'
  if (headers === undefined) return '--header takes "NAME: VALUE"'
  const secret = clientSecret !== undefined && { clientSecret }
  const port = callbackPort !== undefined && { port: Number(callbackPort) }
  const oauth = clientId !== undefined && { oauth: { clientId, ...secret, ...port } }
  if (!oauth && (secret || port)) return '--client-secret and --callback-port need --client-id'
  if (url === undefined && (oauth || header.length > 0)) return '--header and --client-id need --url'
  if (url !== undefined && env.length > 0) return '--env needs a command'
  if (url !== undefined) return { url, ...(header.length > 0 && { headers }), ...oauth, ...limit }
  if (program === undefined) return 'Give a command'
  return { command: program, ...(args.length > 0 && { args }), ...(env.length > 0 && { env: variables }), ...limit }
}

function readPairs(pairs: readonly string[], sign: string): Record<string, string> | undefined {
  const read = pairs.map((pair) => {
    const at = pair.indexOf(sign)
    return at < 1 ? undefined : ([pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const)
  })
  return read.some((pair) => pair === undefined)
    ? undefined
    : Object.fromEntries(read.filter((pair) => pair !== undefined))
}
