import type { TestedServer } from '../../app/mcp/mcp-servers.ts'
import type { ListedMcpServer, McpState } from '../../core/mcp/listed-server.ts'
import type { Style } from '../../core/terminal/style.ts'
import { type Cli, paint } from '../terminal/front-end.ts'
import { type Cell, tableLines } from '../terminal/table.ts'

const STYLES: Readonly<Record<McpState, Style>> = {
  idle: 'dim',
  starting: 'yellow',
  ready: 'green',
  waiting: 'yellow',
  failed: 'red',
  'sign-in': 'yellow',
}

/** Prints one line a server. */
export function printServers(cli: Cli, servers: readonly ListedMcpServer[]): void {
  for (const line of tableLines(servers.map(cellsOf), { last: 'wrap' })) cli.print(line)
}

function cellsOf({ name, state, tools, target, from, problem, skipped, changed }: ListedMcpServer): Cell[] {
  const held = changed.length > 0 ? ` · ${changed.length} changed and held back` : ''
  const left = skipped.length > 0 ? ' · some left out' : ''
  return [
    { style: STYLES[state], text: state === 'ready' ? '●' : state === 'idle' ? '○' : '✗' },
    { style: 'bold', text: name },
    { style: STYLES[state], text: state },
    { style: 'reset', text: `${tools} ${tools === 1 ? 'tool' : 'tools'}${held}${left}` },
    { style: 'dim', text: `${target} (${from})${problem === undefined ? '' : `\n${problem}`}` },
  ]
}

/** Prints what a server offers, and what changed of it. */
export function printTested(cli: Cli, { name, server, protocol, toolNames, skipped, changed }: TestedServer): void {
  const about = [server, protocol && `protocol ${protocol}`].filter(Boolean).join(', ')
  cli.print(`${paint('green', '✓')} ${paint('bold', name)} ${paint('reset', `answers${about ? ` (${about})` : ''}.`)}`)
  cli.print(paint('reset', toolNames.length === 0 ? 'It has no tools.' : `Tools: ${toolNames.join(', ')}`))
  for (const reason of skipped) cli.print(paint('yellow', `Left out: ${reason}`))
  for (const { tool, difference } of changed) {
    cli.print(paint('yellow', `${tool} has changed since you accepted it, and asks again:`))
    cli.print(paint('reset', difference))
  }
  if (changed.length > 0) cli.print(paint('reset', `To accept: haft mcp test ${name} --accept`))
}
