import { type Command, Option } from 'commander'
import type { Host } from '../app/host.ts'
import type { Alias } from '../core/tool/alias.ts'
import type { RegisteredTool, Snapshot } from '../core/tool/snapshot.ts'
import { hostOptionsOf } from './host-options.ts'
import { printProse, reportProblem } from './output/report-problem.ts'
import { type Cli, type CommonOptions, EXIT, paint } from './terminal/front-end.ts'
import { type Cell, tableLines } from './terminal/table.ts'
import { exportTools, FORMATS, type Format } from './tools/export-tools.ts'

interface ToolsCommandOptions extends CommonOptions {
  format?: Format
  strict?: boolean
  report?: boolean
}

/** Adds `haft tools`: lists the tools, where they come from, and the files that were skipped. */
export function addTools(program: Command, cli: Cli, exit: (code: number) => void): void {
  program
    .command('tools')
    .description('List the tools that a model can call, or show one')
    .argument('[name]', 'name of the tool to show')
    .option('--workspace <folder>', 'folder to work in (default: HAFT_WORKSPACE, else the current folder)')
    .option('--json', 'print JSON only')
    .addOption(new Option('--format <format>', 'print the definitions as sent to a model').choices(FORMATS))
    .option('--strict', 'with --format openai: definitions for its strict mode')
    .option('--report', 'with --format: print what the format cannot express instead')
    .action(async (name: string | undefined, options: ToolsCommandOptions, command: Command) => {
      const { format, strict, report } = options
      if (report && format === undefined) command.error('error: --report needs --format')
      if (strict && format !== 'openai') command.error('error: --strict needs --format openai')
      const host = await cli.createHost({ ...hostOptionsOf(cli, options), storage: 'memory' })
      exit(await showTools(cli, host.registry, { name, options }))
      await host.close()
    })
}

interface Wanted {
  readonly name: string | undefined
  readonly options: ToolsCommandOptions
}

async function showTools(cli: Cli, registry: Host['registry'], { name, options }: Wanted): Promise<number> {
  const { format } = options
  const snapshot = registry.snapshot()
  if (name !== undefined && snapshot.find(name) === undefined) return refuseUnknown(cli, snapshot, { name, options })
  if (format) return exportTools(cli, registry, { ...options, format, name })
  return name === undefined ? list(cli, snapshot, options) : showOne(cli, snapshot, { name, options })
}

function list(cli: Cli, snapshot: Snapshot, { json }: ToolsCommandOptions): number {
  if (json) cli.write(`${JSON.stringify({ tools: snapshot.tools.map(describe), skipped: snapshot.skipped })}\n`)
  else listForPeople(cli, snapshot)
  return EXIT.ok
}

function listForPeople(cli: Cli, { tools, skipped }: Snapshot): void {
  const rows = tools.map(({ tool, origin }): Cell[] => [
    { style: 'bold', text: tool.name },
    { style: 'cyan', text: tool.effect },
    { style: 'dim', text: origin },
    { style: 'reset', text: tool.description },
  ])
  const left = skipped.map(({ source, line, reason }): Cell[] => [
    { style: 'yellow', text: 'skipped' },
    { style: 'reset', text: `${source}${line ? `:${line}` : ''}: ${reason}` },
  ])
  for (const line of [...tableLines(rows, { last: 'cut' }), ...tableLines(left, { last: 'wrap' })]) cli.print(line)
}

interface WantedOne {
  readonly name: string
  readonly options: ToolsCommandOptions
}

function refuseUnknown(cli: Cli, snapshot: Snapshot, { name, options }: WantedOne): number {
  const near = snapshot.nearest(name)
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'List them with: haft tools'
  return reportProblem(cli, options, {
    code: 'UNKNOWN_TOOL',
    text: `There is no tool ${JSON.stringify(name)}. ${hint}`,
  })
}

function showOne(cli: Cli, snapshot: Snapshot, { name, options }: WantedOne): number {
  const entry = snapshot.find(name)
  if (entry === undefined) return refuseUnknown(cli, snapshot, { name, options })
  if (options.json) cli.write(`${JSON.stringify(describe(entry))}\n`)
  else showForPeople(cli, entry)
  return EXIT.ok
}

function showForPeople(cli: Cli, { tool, wireName, aliases, origin, source, offered }: RegisteredTool): void {
  cli.print(`${paint('bold', tool.name)}  ${paint('cyan', tool.effect)}  ${paint('dim', `${origin}, ${source}`)}`)
  if (wireName !== tool.name) cli.print(`${paint('dim', 'wire name')}  ${paint('reset', wireName)}`)
  for (const alias of aliases) cli.print(`${paint('dim', 'alias')}  ${paint('reset', describeAlias(alias))}`)
  printProse(cli, tool.description)
  cli.print(paint('reset', JSON.stringify(offered, null, 2)))
}

function describeAlias({ name, preset }: Alias): string {
  return preset === undefined ? name : `${name} with ${JSON.stringify(preset)}`
}

/** Returns a tool as `--json` prints it. */
function describe({ tool, wireName, origin, source, offered }: RegisteredTool): object {
  const { name, description, effect } = tool
  return { name, wireName, description, parameters: offered, effect, origin, source }
}
