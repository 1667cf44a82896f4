import type { Command } from 'commander'
import type { CheckReport } from '../core/check-report.ts'
import type { Host } from '../host.ts'

import { readArguments } from './arguments.ts'
import { type Cli, type CommonOptions, EXIT, paint } from './face.ts'
import { hostOptionsOf } from './host-options.ts'
import { answerLines } from './json-lines.ts'
import { showPreview, showRehearsal } from './show-result.ts'

interface CheckCommandOptions extends CommonOptions {
  stdin?: boolean
  rehearse?: boolean
}

/** `haft check`: everything before the line, nothing after it. */
export function addCheck(program: Command, cli: Cli, exit: (code: number) => void): void {
  program
    .command('check')
    .description('say what would happen to a call, and why; runs nothing')
    .argument('[tool]', 'the name of the tool')
    .argument('[arguments]', 'its arguments as JSON; - reads them from standard input')
    .option('--stdin', 'read calls as JSON lines {"id","name","arguments"} and answer with JSON lines')
    .option('--workspace <folder>', 'the folder calls work in')
    .option('--rehearse', 'run the command where nothing is applied, and show what it would do')
    .option('--json', 'print the report as JSON and nothing else')
    .action(
      async (tool: string | undefined, given: string | undefined, options: CheckCommandOptions, command: Command) => {
        if (!options.stdin && tool === undefined) command.error("error: missing argument 'tool' (or --stdin)")
        if (options.stdin && tool !== undefined) command.error('error: --stdin takes no tool: each line names its own')
        const host = await cli.createHost({ ...hostOptionsOf(cli, options), store: 'memory' })
        exit(
          options.stdin
            ? await checkLines(cli, host, options)
            : await checkOnce(cli, host, { tool: tool ?? '', given, options }),
        )
        await host.close()
      },
    )
}

async function checkLines(cli: Cli, host: Host, { rehearse = false }: CheckCommandOptions): Promise<number> {
  await answerLines(process.stdin, {
    write: cli.write,
    answer: ({ name, arguments: args }) => host.check(name, args, { rehearse }),
  })
  return EXIT.ok
}

async function checkOnce(
  cli: Cli,
  host: Host,
  { tool, given, options }: { tool: string; given: string | undefined; options: CheckCommandOptions },
): Promise<number> {
  const report = await host.check(tool, await readArguments(given), { rehearse: options.rehearse ?? false })
  if (options.json) cli.write(`${JSON.stringify({ id: null, ...report })}\n`)
  else showReport(cli, tool, report)
  if (report.decision === 'invalid') return EXIT.failed
  return report.decision === 'deny' ? EXIT.refused : EXIT.ok
}

const STYLES = { allow: 'green', ask: 'yellow', deny: 'red', invalid: 'red' } as const

function showReport(cli: Cli, tool: string, report: CheckReport): void {
  cli.say(
    `${paint([STYLES[report.decision], 'bold'], report.decision.padEnd(7))} ${paint('bold', tool)}${report.code ? paint('red', `  ${report.code}`) : ''}`,
  )
  cli.say(paint('reset', report.text))
  if (report.arguments) cli.say(`${paint('dim', 'arguments')}  ${paint('reset', JSON.stringify(report.arguments))}`)
  for (const effect of report.effects ?? []) cli.say(`${paint('dim', 'effect   ')}  ${paint('reset', effect)}`)
  for (const repair of report.repairs ?? []) cli.say(`${paint('dim', 'repaired ')}  ${paint('reset', repair)}`)
  if (report.preview) cli.say(showPreview(report.preview))
  for (const { layer, rule, decision, reason } of report.trace) {
    cli.say(
      `${paint('dim', 'rule     ')}  ${paint(STYLES[decision], decision)} by "${paint('reset', rule)}" (${layer}): ${paint('reset', reason)}`,
    )
  }
  if (report.rehearsal) cli.say(showRehearsal(report.rehearsal))
}
