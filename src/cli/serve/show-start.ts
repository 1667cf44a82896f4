import type { Home } from '../../app/home.ts'
import type { Host } from '../../app/host.ts'
import type { RunningServer } from '../../app/serve/http-server.ts'
import { type RegisteredTool, selectable } from '../../core/tool/snapshot.ts'
import { wrapFor } from '../output/report-problem.ts'
import { type Cli, paint, paintError } from '../terminal/front-end.ts'
import { type Cell, tableLines } from '../terminal/table.ts'

interface Started {
  readonly home: Home
  readonly host: Host
  readonly server: RunningServer
  /** What is unusual about the port. */
  readonly note: string | undefined
  readonly isJson: boolean
  readonly isOpenToAll: boolean
}

const OPEN_TO_ALL =
  'Other machines can reach this server. Whoever has the token can run commands here, and the connection is not encrypted.'

/** Prints the link, and what was found on this machine. */
export async function showStart(cli: Cli, { home, host, server, note, isJson, isOpenToAll }: Started): Promise<void> {
  const { link } = server.makeLink()
  const { name, note: chosen } = await home.models.choose()
  const { tools, skipped } = host.registry.snapshot()
  if (isOpenToAll) warn(cli, OPEN_TO_ALL)
  if (isJson) {
    const found = { model: name, tools: selectable(tools).length, skipped: skipped.length }
    cli.writeJson({ url: server.url, link, workspace: host.workspace, ...found })
    return
  }
  if (note !== undefined) warn(cli, note)
  cli.print(`${paint('bold', 'Haft')} serves ${paint('reset', host.workspace)}`)
  cli.print('')
  cli.print(`  ${paint(['bold', 'cyan'], link)}`)
  cli.print('')
  const rows: Cell[][] = [
    row('model', name === 'demo' ? 'demo: no language model was found, simple commands work' : name),
    row('sandbox', await describeSandbox(host)),
    row(
      'tools',
      `${countTools(tools)}${skipped.length > 0 ? `, ${skipped.length} not loaded (haft tools says why)` : ''}`,
    ),
  ]
  for (const line of tableLines(rows, { last: 'wrap' })) cli.print(line)
  cli.print('')
  const advice = `The link works once, within 30 minutes; haft serve --link prints another. Ctrl-C stops the server.`
  for (const line of wrapFor(process.stdout, advice)) cli.print(paint('dim', line))
  if (chosen !== undefined && name !== 'demo')
    for (const line of wrapFor(process.stdout, chosen)) cli.print(paint('dim', line))
}

function row(what: string, seen: string): Cell[] {
  return [
    { style: 'dim', text: `  ${what}` },
    { style: 'reset', text: seen },
  ]
}

/** The tools that a person selects, as other places count them, and those that are always offered beside them. */
function countTools(tools: readonly RegisteredTool[]): string {
  const count = selectable(tools).length
  return `${count}, and ${tools.length - count} that are always offered`
}

/** Whether commands can run here, in one sentence. */
async function describeSandbox(host: Host): Promise<string> {
  const broken = (await host.examineSandbox()).filter(({ holds }) => !holds)
  const [first] = broken
  return first === undefined ? 'works' : `does not work: ${first.seen}`
}

function warn(cli: Cli, text: string): void {
  cli.printError(
    wrapFor(process.stderr, text)
      .map((line) => paintError('yellow', line))
      .join('\n'),
  )
}
