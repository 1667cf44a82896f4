import type { Command } from 'commander'
import type { Host } from '../app/host.ts'
import type { CheckReport } from '../core/call/check-report.ts'
import type { Opinion } from '../core/rules/rule.ts'
import { addExamples, type Example } from './help.ts'
import { hostOptionsOf } from './host-options.ts'
import { ARGUMENTS_HELP, explainArguments, readArguments } from './output/arguments.ts'
import { answerLines } from './output/json-lines.ts'
import { printProse } from './output/report-problem.ts'
import { showDiff, showDryRun } from './output/show-result.ts'
import { type Cli, type CommonOptions, EXIT, modeOption, paint } from './terminal/front-end.ts'
import { type Cell, tableLines } from './terminal/table.ts'

interface CheckCommandOptions extends CommonOptions {
  stdin?: boolean
  unordered?: boolean
  rehearse?: boolean
}

const EXAMPLES: readonly Example[] = [
  [`haft check shell '{"command":"git push"}'`, 'show the decision and the rules'],
  [`haft check shell '{"command":"make"}' --rehearse`, 'show what it would change'],
]

/** Adds `haft check`: runs every stage before the commit point and none after it. */
export function addCheck(program: Command, cli: Cli, exit: (code: number) => void): void {
  const command = program
    .command('check')
    .description('Show what would happen to a call, without running it')
    .argument('[tool]', 'name of the tool')
    .argument('[arguments]', 'arguments as JSON; @FILE reads them from a file, - from stdin')
    .option(
      '--stdin',
      'read calls as JSON lines {"id","name","arguments"}, print reports as JSON lines in the same order',
    )
    .option('--unordered', 'with --stdin: print each report as soon as it is there')
    .option('--workspace <folder>', 'folder to work in (default: HAFT_WORKSPACE, else the current folder)')
    .option('--rehearse', 'run the command in the sandbox, show what it would change, apply nothing')
    .addOption(modeOption())
    .option('--json', 'print the report as JSON only')
    .showHelpAfterError(ARGUMENTS_HELP)
    .action(
      async (tool: string | undefined, given: string | undefined, options: CheckCommandOptions, command: Command) => {
        if (!options.stdin && tool === undefined) command.error("error: missing argument 'tool' (or --stdin)")
        if (options.stdin && tool !== undefined) command.error('error: --stdin takes no tool; each line names its own')
        const args = options.stdin ? undefined : await readArguments(given)
        const host = await cli.createHost({ ...hostOptionsOf(cli, options), storage: 'memory', toolFolders: 'later' })
        exit(
          options.stdin
            ? await checkLines(cli, host, options)
            : await checkOnce(cli, host, { tool: tool ?? '', args, given, options }),
        )
        await host.close()
      },
    )
  addExamples(command, EXAMPLES)
}

async function checkLines(
  cli: Cli,
  host: Host,
  { rehearse = false, unordered = false }: CheckCommandOptions,
): Promise<number> {
  await answerLines(process.stdin, {
    unordered,
    write: cli.writeJson,
    answer: ({ name, arguments: args }) => host.check(name, args, { dryRun: rehearse }),
  })
  return EXIT.ok
}

interface CheckOrder {
  readonly tool: string
  readonly args: string | undefined
  /** The arguments as the command line gives them. */
  readonly given: string | undefined
  readonly options: CheckCommandOptions
}

async function checkOnce(cli: Cli, host: Host, { tool, args, given, options }: CheckOrder): Promise<number> {
  await host.prepareTool(tool)
  const report = await host.check(tool, args, { dryRun: options.rehearse ?? false })
  if (options.json) cli.writeJson({ id: null, ...report })
  else {
    showReport(cli, tool, report)
    if (report.code === 'INVALID_ARGUMENTS') explainArguments(cli, given)
  }
  if (report.decision === 'invalid') return EXIT.failed
  return report.decision === 'deny' ? EXIT.refused : EXIT.ok
}

const STYLES = { allow: 'green', ask: 'yellow', deny: 'red', invalid: 'red' } as const

function showReport(cli: Cli, tool: string, report: CheckReport): void {
  cli.print(
    `${paint([STYLES[report.decision], 'bold'], report.decision.padEnd(7))} ${paint('bold', tool)}${report.code ? paint('red', `  ${report.code}`) : ''}`,
  )
  printProse(cli, report.text)
  for (const line of tableLines(factsOf(report), { last: 'wrap' })) cli.print(line)
  if (report.preview?.kind === 'diff') cli.print(showDiff(report.preview.text))
  for (const line of tableLines(report.trace.map(opinionCells), { last: 'wrap' })) cli.print(line)
  if (report.dryRun) cli.print(showDryRun(report.dryRun))
}

/** Returns the facts about a call, one labelled row each. */
function factsOf({ arguments: args, effects = [], repairs = [], preview }: CheckReport): Cell[][] {
  const facts = [
    ...(args ? [['arguments', JSON.stringify(args)] as const] : []),
    ...effects.map((effect) => ['effect', effect] as const),
    ...repairs.map((repair) => ['repaired', repair] as const),
    ...(preview && preview.kind !== 'diff' ? [['preview', preview.text.trimEnd()] as const] : []),
  ]
  return facts.map(([name, text]) => [label(name), { style: 'reset', text }])
}

function opinionCells({ layer, rule, decision, reason }: Opinion): Cell[] {
  return [
    label('rule'),
    { style: STYLES[decision], text: decision },
    { style: 'reset', text: `by "${rule}" (${layer}): ${reason}` },
  ]
}

/** A label, padded so that all parts of the report line up. */
function label(name: string): Cell {
  return { style: 'dim', text: name.padEnd('arguments'.length) }
}
