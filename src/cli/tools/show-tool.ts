import type { Alias } from '../../core/tool/alias.ts'
import type { Origin, RegisteredTool } from '../../core/tool/snapshot.ts'
import type { Effect } from '../../core/tool/tool.ts'
import { printProse } from '../output/report-problem.ts'
import { type Cli, paint } from '../terminal/front-end.ts'
import { type Cell, tableLines } from '../terminal/table.ts'
import { exampleCall } from './example-call.ts'
import { shortPlace } from './short-path.ts'

/** Where the code of a tool runs, and so what it can do. */
const RUNS: Readonly<Record<Origin, string>> = {
  'built-in': 'inside Haft: files go through its checks, commands run in the sandbox',
  code: 'inside the program that registered it',
  user: 'as you: it can use your files and your network',
  project: 'in the sandbox: it can read this project, and reaches no network',
  mcp: 'in its MCP server',
}

const CHANGING: readonly Effect[] = ['write', 'run']

/** The same for a project's tool that may change things. */
const RUNS_AND_CHANGES =
  'in the sandbox: it can read and change this project, its changes are checked before they are applied, and it reaches no network'

/** Prints one tool: what it does, where it comes from, how it runs, how to try it, and its parameters. */
export function showTool(cli: Cli, entry: RegisteredTool): void {
  const { tool, wireName, aliases, origin, offered, parameters } = entry
  const title: Cell[] = [
    { style: 'bold', text: tool.name },
    { style: 'cyan', text: tool.effect },
    { style: 'dim', text: origin },
  ]
  for (const line of tableLines([title], { last: 'wrap' })) cli.print(line)
  printProse(cli, tool.description)
  cli.print('')
  const facts: [string, string][] = [
    ['from', origin === 'built-in' ? 'built in' : shortPlace(entry)],
    ['runs', origin === 'project' && CHANGING.includes(tool.effect) ? RUNS_AND_CHANGES : RUNS[origin]],
    ...(wireName === tool.name ? [] : [['on the wire', wireName] as [string, string]]),
    ...aliases.map((alias): [string, string] => ['also called', describeAlias(alias)]),
    ['try', exampleCall(tool.name, parameters)],
  ]
  const rows = facts.map(([name, text]): Cell[] => [
    { style: 'dim', text: name },
    { style: 'reset', text },
  ])
  for (const line of tableLines(rows, { last: 'wrap' })) cli.print(line)
  cli.print('')
  cli.print(paint('reset', JSON.stringify(offered, null, 2)))
}

function describeAlias({ name, preset }: Alias): string {
  return preset === undefined ? name : `${name} with ${JSON.stringify(preset)}`
}
