import { type Command, Option } from 'commander'
import type { Host } from '../app/host.ts'
import { describeFileProblem } from '../core/tool/describe-file-problem.ts'
import { describeTool, describeTools } from '../core/tool/describe-tool.ts'
import type { Snapshot } from '../core/tool/snapshot.ts'
import { hostOptionsOf } from './host-options.ts'
import { reportProblem } from './output/report-problem.ts'
import { warn } from './run/show-run.ts'
import { type Cli, type CommonOptions, EXIT } from './terminal/front-end.ts'
import { exportTools, FORMATS, type Format, reportForModel } from './tools/export-tools.ts'
import { listTools } from './tools/list-tools.ts'
import { makeNewTool } from './tools/new-tool.ts'
import { showTool } from './tools/show-tool.ts'

interface ToolsCommandOptions extends CommonOptions {
  format?: Format
  strict?: boolean
  report?: boolean
  model?: string
  refresh?: boolean
  ts?: boolean
}

/** Adds `haft tools`: lists the tools, where they come from, and the files that were skipped; `haft tools new NAME` writes a starter file, `haft tools path` prints the PYTHONPATH. */
export function addTools(program: Command, cli: Cli, exit: (code: number) => void): void {
  program
    .command('tools')
    .description('List the tools that a model can call, show one, or start a new one')
    .argument(
      '[name]',
      'name of the tool to show; new: write a starter file; path: print the PYTHONPATH for testing Python tools',
    )
    .argument('[new-name]', 'with new: the name of the tool')
    .option('--workspace <folder>', 'folder to work in (default: HAFT_WORKSPACE, else the current folder)')
    .option('--json', 'print JSON only')
    .option('--refresh', 'load every tool file again first')
    .option('--ts', 'with new: write TypeScript instead of Python')
    .addOption(new Option('--format <format>', 'print the definitions as sent to a model').choices(FORMATS))
    .option('--strict', 'with --format openai: definitions for its strict mode')
    .option('--report', 'print which parts of the tools the model or the format cannot express')
    .option('--model <name>', 'with --report: that model (default: the one that haft run uses)')
    .action(
      async (name: string | undefined, made: string | undefined, options: ToolsCommandOptions, command: Command) => {
        if (name === 'path') return cli.write(`${cli.pythonPath()}\n`)
        checkOptions({ name, made, options }, command)
        const host = await cli.createHost({ ...hostOptionsOf(cli, options), storage: 'memory' })
        try {
          if (name !== undefined) host.onFileProblem((problem) => warn(cli, describeFileProblem(problem)))
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

function checkOptions({ name, made, options }: ToolsOrder, command: Command): void {
  const { format, strict, report, model } = options
  if (made !== undefined && name !== 'new') command.error(`error: unexpected argument '${made}'`)
  if (model !== undefined && !report) command.error('error: --model needs --report')
  if (model !== undefined && format !== undefined) command.error('error: --model and --format exclude each other')
  if (strict && format !== 'openai') command.error('error: --strict needs --format openai')
}

async function runTools(cli: Cli, host: Host, { name, made, options }: ToolsOrder): Promise<number> {
  const { ts, json = false, refresh, format } = options
  if (made !== undefined) return makeNewTool(cli, host, { name: made, language: ts ? 'typescript' : 'python', json })
  if (refresh) await host.refreshTools()
  const { registry } = host
  const snapshot = registry.snapshot()
  if (name !== undefined && snapshot.find(name) === undefined) return refuseUnknown(cli, snapshot, { name, options })
  if (format) return exportTools(cli, registry, { ...options, format, name })
  if (options.report) return reportForModel(cli, host, { ...options, name })
  return name === undefined ? list(cli, snapshot, options) : showOne(cli, snapshot, { name, options })
}

function list(cli: Cli, snapshot: Snapshot, { json }: ToolsCommandOptions): number {
  if (json) cli.writeJson(describeTools(snapshot))
  else listTools(cli, snapshot)
  return EXIT.ok
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
  if (options.json) cli.writeJson(describeTool(entry))
  else showTool(cli, entry)
  return EXIT.ok
}
