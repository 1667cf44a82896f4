import { type Command, Option } from 'commander'
import type { Host } from '../app/host.ts'
import type { Alias } from '../core/alias.ts'
import type { RegisteredTool, Snapshot } from '../core/snapshot.ts'
import { exportTools, FORMATS, type Format } from './export-tools.ts'
import { type Cli, type CommonOptions, EXIT, paint } from './face.ts'
import { hostOptionsOf } from './host-options.ts'
import { type Cell, tableLines } from './table.ts'
import { refuse, sayProse } from './tell-problem.ts'

interface ToolsCommandOptions extends CommonOptions {
  format?: Format
  strict?: boolean
  report?: boolean
}

/** `haft tools`: what a model can call, where it comes from, and what was skipped. */
export function addTools(program: Command, cli: Cli, exit: (code: number) => void): void {
  program
    .command('tools')
    .description('list the tools, or show one')
    .argument('[name]', 'show this tool whole')
    .option('--workspace <folder>', 'the folder calls work in')
    .option('--json', 'print JSON and nothing else')
    .addOption(new Option('--format <format>', 'print the definitions a model is given').choices(FORMATS))
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
  for (const line of [...tableLines(rows, { last: 'cut' }), ...tableLines(left, { last: 'wrap' })]) cli.say(line)
}

interface WantedOne {
  readonly name: string
  readonly options: ToolsCommandOptions
}

function refuseUnknown(cli: Cli, snapshot: Snapshot, { name, options }: WantedOne): number {
  const near = snapshot.nearest(name)
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'haft tools lists them.'
  return refuse(cli, options, { code: 'UNKNOWN_TOOL', text: `unknown tool ${JSON.stringify(name)}. ${hint}` })
}

function showOne(cli: Cli, snapshot: Snapshot, { name, options }: WantedOne): number {
  const entry = snapshot.find(name)
  if (entry === undefined) return refuseUnknown(cli, snapshot, { name, options })
  if (options.json) cli.write(`${JSON.stringify(describe(entry))}\n`)
  else showForPeople(cli, entry)
  return EXIT.ok
}

function showForPeople(cli: Cli, { tool, wireName, aliases, origin, source, offered }: RegisteredTool): void {
  cli.say(`${paint('bold', tool.name)}  ${paint('cyan', tool.effect)}  ${paint('dim', `${origin}, ${source}`)}`)
  if (wireName !== tool.name) cli.say(`${paint('dim', 'on the wire')}  ${paint('reset', wireName)}`)
  for (const alias of aliases) cli.say(`${paint('dim', 'also called')}  ${paint('reset', describeAlias(alias))}`)
  sayProse(cli, tool.description)
  cli.say(paint('reset', JSON.stringify(offered, null, 2)))
}

function describeAlias({ name, preset }: Alias): string {
  return preset === undefined ? name : `${name} with ${JSON.stringify(preset)}`
}

/** A tool as programs are told of it. */
function describe({ tool, wireName, origin, source, offered }: RegisteredTool): object {
  const { name, description, effect } = tool
  return { name, wireName, description, parameters: offered, effect, origin, source }
}
