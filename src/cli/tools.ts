import { type Command, Option } from 'commander'
import type { Alias } from '../core/alias.ts'
import type { RegisteredTool, Snapshot } from '../core/snapshot.ts'
import { type Cli, type CommonOptions, EXIT, paint } from './face.ts'
import { hostOptionsOf } from './host-options.ts'
import { type Cell, tableLines } from './table.ts'
import { refuse, sayProse } from './tell-problem.ts'

interface ToolsCommandOptions extends CommonOptions {
  format?: 'openai'
}

/** `haft tools`: what a model can call, where it comes from, and what was skipped. */
export function addTools(program: Command, cli: Cli, exit: (code: number) => void): void {
  program
    .command('tools')
    .description('list the tools, or show one')
    .argument('[name]', 'show this tool; "path" prints the PYTHONPATH for testing Python tools')
    .option('--workspace <folder>', 'the folder calls work in')
    .option('--json', 'print JSON and nothing else')
    .addOption(new Option('--format <format>', 'print the definitions a model is given').choices(['openai']))
    .action(async (name: string | undefined, options: ToolsCommandOptions) => {
      if (name === 'path') return cli.write(`${cli.pythonPath()}\n`)
      const host = await cli.createHost({ ...hostOptionsOf(cli, options), storage: 'memory' })
      const snapshot = host.registry.snapshot()
      exit(name === undefined ? list(cli, snapshot, options) : showOne(cli, snapshot, { name, options }))
      await host.close()
    })
}

function list(cli: Cli, snapshot: Snapshot, { json, format }: ToolsCommandOptions): number {
  if (format) cli.write(`${snapshot.definitions(format)}\n`)
  else if (json) cli.write(`${JSON.stringify({ tools: snapshot.tools.map(describe), skipped: snapshot.skipped })}\n`)
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

function showOne(
  cli: Cli,
  snapshot: Snapshot,
  { name, options }: { name: string; options: ToolsCommandOptions },
): number {
  const entry = snapshot.find(name)
  if (entry === undefined) {
    const near = snapshot.nearest(name)
    const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'haft tools lists them.'
    return refuse(cli, options, { code: 'UNKNOWN_TOOL', text: `unknown tool ${JSON.stringify(name)}. ${hint}` })
  }
  if (options.json) cli.write(`${JSON.stringify(describe(entry))}\n`)
  else if (options.format)
    cli.write(`${JSON.stringify(JSON.parse(snapshot.definitions(options.format))[snapshot.tools.indexOf(entry)])}\n`)
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
