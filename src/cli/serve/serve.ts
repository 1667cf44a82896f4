import { type Command, Option } from 'commander'
import type { Home } from '../../app/home.ts'
import type { ListeningServer, RunningServer } from '../../app/serve/http-server.ts'
import type { ConfirmWorkspace } from '../../app/workspace.ts'
import { messageOf } from '../../core/call/result.ts'
import { askYes } from '../approval/prompt.ts'
import { addExamples, type Example } from '../help.ts'
import { hostOptionsOf } from '../host-options.ts'
import { reportProblem, wrapFor } from '../output/report-problem.ts'
import { type Cli, type CommonOptions, EXIT, homeFolder, paintError, workspaceOf } from '../terminal/front-end.ts'
import { listenForInterrupt } from '../terminal/interrupt.ts'
import { findFreePort } from './find-free-port.ts'
import { mayOpenBrowser, openBrowser } from './open-browser.ts'
import { askForLink, noteServer } from './running-server.ts'
import { showStart } from './show-start.ts'

interface ServeCommandOptions extends CommonOptions {
  port?: string
  host: string
  open?: boolean
  link?: boolean
  publicUrl?: string
}

const EXAMPLES: readonly Example[] = [
  ['haft serve', 'serve this folder on 127.0.0.1:4242'],
  ['haft serve --open', 'the same, and open the browser'],
  ['haft serve --link', 'print a new link to the running server'],
]

/** Adds `haft serve`: the web app and the HTTP interface. */
export function addServe(program: Command, cli: Cli, exit: (code: number) => void): void {
  const command = program
    .command('serve')
    .description('Serve the web app and the HTTP interface')
    .option('--workspace <folder>', 'folder to work in (default: HAFT_WORKSPACE, else the current folder)')
    .option('--port <number>', 'port (default: port in the settings, else 4242; the next one if it is in use)')
    .addOption(new Option('--host <address>', 'address to listen on').default('127.0.0.1'))
    .option(
      '--public-url <url>',
      'address of the reverse proxy, https://haft.example.com (default: public_url in the settings)',
    )
    .option('--open', 'open the browser, if there is a display here')
    .option('--link', 'print a new link to the running server, then exit')
    .option('-y, --yes', 'do not ask whether a wide folder may be the workspace')
    .option('--json', 'print JSON only')
    .action(async (options: ServeCommandOptions, command: Command) => {
      const port = portOf(options, command)
      exit(options.link ? await printLink(cli, options, port) : await serve(cli, options, port))
    })
  addExamples(command, EXAMPLES)
}

function portOf({ port }: ServeCommandOptions, command: Command): number | undefined {
  if (port === undefined) return undefined
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    command.error(`error: --port ${port}: expected a number up to 65535`)
  return Number(port)
}

async function printLink(cli: Cli, options: ServeCommandOptions, port: number | undefined): Promise<number> {
  const made = await askForLink({ folder: homeFolder(), token: process.env.HAFT_TOKEN, port })
  if ('problem' in made) return reportProblem(cli, options, { code: 'UNAVAILABLE', text: made.problem })
  if (options.json) cli.writeJson(made)
  else cli.write(`${made.link}\n`)
  return EXIT.ok
}

/** Serves until somebody asks it to end. Resolves to the exit code. */
async function serve(cli: Cli, options: ServeCommandOptions, given: number | undefined): Promise<number> {
  const interrupt = listenForInterrupt()
  const { port: wanted, publicUrl } = await cli.readServerSettings(homeFolder(), {
    ...(given !== undefined && { port: given }),
    ...(options.publicUrl !== undefined && { publicUrl: options.publicUrl }),
  })
  const { server, note } = await findFreePort(cli.listen, { hostname: options.host, port: wanted })
  let home: Home | undefined
  let running: RunningServer | undefined
  try {
    const { workspace: _, ...parts } = hostOptionsOf(cli, options)
    const isStarting = () => running === undefined
    home = await cli.openHome({
      ...parts,
      ...{ wait: true, serverPort: server.port, confirmWorkspace: confirmAtStart(options, isStarting) },
    })
    const host = await home.host(workspaceOf(options))
    running = startServing(cli, { server, home, workspace: host.workspace, publicUrl })
    const removeNote = noteServer(homeFolder(), running.url)
    await showStart(cli, {
      home,
      host,
      server: running,
      note,
      isJson: options.json === true,
      isOpenToAll: server.isOpenToAll,
    })
    if (options.open && mayOpenBrowser()) openBrowser(running.makeLink().link, cli.programs)
    await interrupt.requested
    removeNote()
    return interrupt.exitCode() ?? EXIT.ok
  } catch (thrown) {
    cli.printError(paintError('red', wrapFor(process.stderr, `haft: ${messageOf(thrown)}`).join('\n')))
    return interrupt.exitCode() ?? EXIT.failed
  } finally {
    await running?.close()
    server.close()
    await home?.close()
    interrupt.stop()
  }
}

/** Asks the person at the terminal whether a wide folder may be the workspace, only while the server starts: a page cannot confirm it. */
function confirmAtStart({ yes }: ServeCommandOptions, isStarting: () => boolean): ConfirmWorkspace {
  const confirmed = new Set<string>()
  return async (reason, workspace) => {
    if (confirmed.has(workspace)) return true
    if (!isStarting() || !(yes === true || (await askYes(`${reason}. Continue?`)))) return false
    confirmed.add(workspace)
    return true
  }
}

interface Serving {
  readonly server: ListeningServer
  readonly home: Home
  readonly workspace: string
  readonly publicUrl: string | undefined
}

function startServing(cli: Cli, { server, home, workspace, publicUrl }: Serving): RunningServer {
  return server.serve(home, {
    ...{ folder: homeFolder(), workspace, publicUrl, version: cli.version, page: cli.pageFolder() },
    token: process.env.HAFT_TOKEN || undefined,
    onFault: (thrown) =>
      cli.printError(
        paintError('red', `fault: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : messageOf(thrown)}`),
      ),
  })
}
