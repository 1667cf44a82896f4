import { type Command, Option } from 'commander'
import type { Host } from '../app/host.ts'
import type { RegisteredTool, Snapshot } from '../core/snapshot.ts'
import { type Cli, type CommonOptions, EXIT } from './face.ts'
import { hostOptionsOf } from './host-options.ts'
import { refuse } from './tell-problem.ts'
import { listTools } from './tools/list-tools.ts'
import { makeNewTool } from './tools/new-tool.ts'
import { showTool } from './tools/show-tool.ts'

interface ToolsCommandOptions extends CommonOptions {
  format?: 'openai'
  refresh?: boolean
  ts?: boolean
}

/** `haft tools`: what a model can call, where it comes from, and what was skipped; `haft tools new NAME` begins a tool of one's own, `haft tools path` helps to test it. */
export function addTools(program: Command, cli: Cli, exit: (code: number) => void): void {
  program
    .command('tools')
    .description('list the tools, show one, or begin a new one')
    .argument(
      '[name]',
      'show this tool; new: write a starter file for one of your own; path: print the PYTHONPATH for testing Python tools',
    )
    .argument('[new-name]', 'with new: the name of the tool')
    .option('--workspace <folder>', 'the folder calls work in')
    .option('--json', 'print JSON and nothing else')
    .option('--refresh', 'load every tool file again first')
    .option('--ts', 'with new: write TypeScript instead of Python')
    .addOption(new Option('--format <format>', 'print the definitions a model is given').choices(['openai']))
    .action(
      async (name: string | undefined, made: string | undefined, options: ToolsCommandOptions, command: Command) => {
        if (name === 'path') return cli.write(`${cli.pythonPath()}\n`)
        if (made !== undefined && name !== 'new') command.error(`error: unexpected argument '${made}'`)
        const host = await cli.createHost({ ...hostOptionsOf(cli, options), storage: 'memory' })
        try {
          exit(await runTools(cli, host, { name, made, options }))
        } finally {
          await host.close()
        }
      },
    )
}

interface ToolsOrder {
  readonly name: string | undefined
  /** The tool that `new` makes. */
  readonly made: string | undefined
  readonly options: ToolsCommandOptions
}

async function runTools(cli: Cli, host: Host, { name, made, options }: ToolsOrder): Promise<number> {
  if (made !== undefined) {
    const { ts, json = false } = options
    return makeNewTool(cli, host, { name: made, language: ts ? 'typescript' : 'python', json })
  }
  if (options.refresh) await host.refreshTools()
  const snapshot = host.registry.snapshot()
  return name === undefined ? list(cli, snapshot, options) : showOne(cli, snapshot, { name, options })
}

function list(cli: Cli, snapshot: Snapshot, { json, format }: ToolsCommandOptions): number {
  if (format) cli.write(`${snapshot.definitions(format)}\n`)
  else if (json) cli.write(`${JSON.stringify({ tools: snapshot.tools.map(describe), skipped: snapshot.skipped })}\n`)
  else listTools(cli, snapshot)
  return EXIT.ok
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
  else showTool(cli, entry)
  return EXIT.ok
}

/** A tool as programs are told of it. */
function describe({ tool, wireName, origin, source, line, offered }: RegisteredTool): object {
  const { name, description, effect } = tool
  const place = line === undefined ? { source } : { source, line }
  return { name, wireName, description, parameters: offered, effect, origin, ...place }
}
