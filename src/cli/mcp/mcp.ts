import { type Command, Option } from 'commander'
import type { McpServers } from '../../app/mcp/mcp-servers.ts'
import { messageOf } from '../../core/call/result.ts'
import { addExamples, type Example } from '../help.ts'
import { hostOptionsOf } from '../host-options.ts'
import { printProse, wrapFor } from '../output/report-problem.ts'
import { type Cli, EXIT, paint, paintError } from '../terminal/front-end.ts'
import { type AddServerOptions, addServers } from './add-servers.ts'
import { CLIENTS } from './read-entry.ts'
import { printServers, printTested } from './server-lines.ts'
import { signingIn } from './show-sign-in.ts'

const EXAMPLES: readonly Example[] = [
  ['haft mcp list --try', 'start every server and list what it offers'],
  ['haft mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes', 'add a program'],
  ['haft mcp add docs --url https://example.com/mcp', 'add a remote server'],
  ['haft mcp add --from claude', 'add the servers of another program'],
]

/** How settings name a variable. */
const VARIABLE = `$\u007bNAME}`

const NONE = 'No MCP server is configured. Add one with `haft mcp add`, or as [mcp.NAME] in settings.toml.'

/** Adds `haft mcp`, which lists, adds, removes and tries the MCP servers whose tools Haft uses. */
export function addMcp(program: Command, cli: Cli, exit: (code: number) => void): void {
  const withServers = async (work: (mcp: McpServers) => Promise<number>) => {
    const { workspace: _, ...options } = hostOptionsOf(cli, {})
    const home = await cli.openHome({ ...options, storage: 'memory' })
    try {
      exit(await work(home.mcp))
    } catch (thrown) {
      cli.printError(paintError('red', wrapFor(process.stderr, messageOf(thrown)).join('\n')))
      exit(EXIT.failed)
    } finally {
      await home.close()
    }
  }
  const mcp = program.command('mcp').description('List, add, remove and try the MCP servers whose tools Haft uses')
  addExamples(mcp, EXAMPLES)
  mcp
    .command('list')
    .description('List the servers')
    .option('--try', 'start every server first')
    .option('--json', 'print JSON only')
    .action((options: { try?: boolean; json?: boolean }) => withServers((servers) => list(cli, servers, options)))
  mcp
    .command('add')
    .description('Add a server; it is tried first, and stored only if it answers')
    .argument('[name]', 'name of the server, the first part of the names of its tools')
    .argument('[command...]', 'program and arguments, after --')
    .option('--url <address>', 'address of a remote server')
    .option('--env <name=value...>', `variable of the program; ${VARIABLE} stands for one of yours`)
    .option(
      '--header <header...>',
      `header of each request, as "NAME: VALUE"; ${VARIABLE} stands for a variable of yours`,
    )
    .option('--client-id <id>', 'how Haft is registered with a server that does not register programs by itself')
    .option('--client-secret <secret>', `the secret of that registration; ${VARIABLE} stands for a variable of yours`)
    .option('--callback-port <port>', 'the port of the address that the registration names')
    .option('--timeout <seconds>', 'seconds that a call may take (default: 60)')
    .addOption(new Option('--from <program>', 'add the servers of another program').choices(CLIENTS))
    .option('--workspace <folder>', 'with --from: the project whose files are read too')
    .action((name: string | undefined, command: readonly string[], options: AddServerOptions) =>
      withServers((servers) => addServers(cli, servers, { name, command, options })),
    )
  mcp
    .command('remove')
    .description('Remove a server that was added here')
    .argument('<name>', 'name of the server')
    .action((name: string) => withServers((servers) => remove(cli, servers, name)))
  mcp
    .command('test')
    .description('Start a server and show what it offers, and what changed since you accepted its tools')
    .argument('<name>', 'name of the server')
    .option('--accept', 'accept the tools as they are now')
    .option('--json', 'print JSON only')
    .action((name: string, { accept = false, json }: { accept?: boolean; json?: boolean }) =>
      withServers(async (servers) => {
        const tested = await servers.test(name, { accept, ...signingIn(cli) })
        if (json) cli.writeJson(tested)
        else printTested(cli, tested)
        return EXIT.ok
      }),
    )
}

async function list(cli: Cli, mcp: McpServers, options: { try?: boolean; json?: boolean }): Promise<number> {
  if (options.try) await mcp.settle()
  const servers = await mcp.list()
  if (options.json) cli.writeJson({ servers })
  else if (servers.length === 0) printProse(cli, NONE)
  else printServers(cli, servers)
  return EXIT.ok
}

async function remove(cli: Cli, mcp: McpServers, name: string): Promise<number> {
  if (await mcp.remove(name)) {
    cli.print(paint('green', `${name} is removed.`))
    return EXIT.ok
  }
  const text = `There is no MCP server ${JSON.stringify(name)} that was added here. Servers of settings.toml are removed there.`
  cli.printError(paintError('red', wrapFor(process.stderr, text).join('\n')))
  return EXIT.failed
}
