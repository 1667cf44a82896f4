import { Command, CommanderError } from 'commander'
import { messageOf } from '../core/call/result.ts'
import { addApprovals } from './approvals.ts'
import { addCall } from './call.ts'
import { addCheck } from './check.ts'
import { addDoctor } from './doctor.ts'
import { afterHelp, formatItem } from './help.ts'
import { addLog } from './log.ts'
import { addMcp } from './mcp/mcp.ts'
import { addModels } from './models.ts'
import { wrapFor } from './output/report-problem.ts'
import { addPlan } from './plan/plan.ts'
import { addRules } from './rules.ts'
import { addServe } from './serve/serve.ts'
import { addExport } from './session/export.ts'
import { addRun } from './session/run.ts'
import { addSessions } from './session/sessions.ts'
import { addWhy } from './session/why.ts'
import { addSuite } from './suite/suite.ts'
import { addTasks } from './tasks.ts'
import { type CliParts, createCli, EXIT, paintError } from './terminal/front-end.ts'
import { addTools } from './tools.ts'
import { addTrust } from './trust.ts'
import { addTui, isTuiLine } from './tui/tui.ts'
import { addUndo } from './undo.ts'

/** Builds the command line. Every command reports its exit code through `exit`. */
export function buildProgram({ exit, ...start }: CliParts & { exit: (code: number) => void }): Command {
  const program = new Command('haft')
    .description(
      'Run tool calls from language models safely: validated, checked against rules, approved by you, sandboxed, logged, undoable.',
    )
    .version(start.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'Print the help for a command')
    .configureHelp({ formatItem, subcommandTerm: (command) => command.name() })
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(wrapFor(process.stderr, text).join('\n')) })
    .exitOverride()
  const cli = createCli(start)
  const commands = [
    ...[addTui, addRun, addServe, addSessions, addExport, addWhy, addPlan, addSuite],
    ...[addCall, addCheck, addTools, addModels, addMcp, addTasks, addApprovals],
    ...[addLog, addUndo, addRules, addTrust, addDoctor],
  ]
  for (const add of commands) add(program, cli, exit)
  return program
    .addHelpText('after', () => afterHelp(program))
    .showHelpAfterError('Run haft --help for a list of commands.')
}

/** Runs one command line. Resolves to its exit code; never rejects. */
export async function runProgram(args: readonly string[], start: CliParts): Promise<number> {
  let code: number = EXIT.ok
  const exit = (ended: number) => {
    code = ended
  }
  try {
    await buildProgram({ ...start, exit }).parseAsync(lineOf(args), { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    const [first = '', ...rest] = wrapFor(process.stderr, `haft: ${messageOf(error)}`)
    const rows = [`${paintError('red', 'haft:')}${first.slice('haft:'.length)}`, ...rest]
    process.stderr.write(`${rows.join('\n')}\n`)
    return EXIT.failed
  }
}

/** `haft` alone prints the help; options without a command are those of the terminal UI. */
function lineOf(args: readonly string[]): string[] {
  if (args.length === 0) return ['--help']
  return isTuiLine(args) ? ['tui', ...args] : [...args]
}
