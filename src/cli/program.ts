import { Command, CommanderError } from 'commander'
import { messageOf } from '../core/result.ts'
import { addApprovals } from './approvals.ts'
import { addCall } from './call.ts'
import { addCheck } from './check.ts'
import { addDoctor } from './doctor.ts'
import { createCli, EXIT, type HostMaker, paintError } from './face.ts'
import { afterHelp, formatItem } from './help.ts'
import { addLog } from './log.ts'
import { addRules } from './rules.ts'
import { addTasks } from './tasks.ts'
import { wrapFor } from './tell-problem.ts'
import { addTools } from './tools.ts'
import { addTrust } from './trust.ts'
import { addUndo } from './undo.ts'

/** What the command line is given by whoever starts it. */
interface Start {
  readonly version: string
  readonly createHost: HostMaker
  /** The folder with the Python packages that tool files import. */
  pythonPath(): string
}

/** Builds the command line; every command says by `exit` how it ended. */
export function buildProgram({ version, exit, ...start }: Start & { exit: (code: number) => void }): Command {
  const program = new Command('haft')
    .description('Runs tool calls of language models: repaired, checked, judged, asked about, bounded and logged.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp({ formatItem })
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(wrapFor(process.stderr, text).join('\n')) })
    .exitOverride()
  const cli = createCli(start)
  const commands = [addCall, addCheck, addTools, addTasks, addApprovals, addLog, addUndo, addRules, addTrust, addDoctor]
  for (const add of commands) add(program, cli, exit)
  return program.addHelpText('after', () => afterHelp(program)).showHelpAfterError('haft --help shows what there is.')
}

/** Runs one command line; resolves to its exit code and never rejects. */
export async function runProgram(args: readonly string[], start: Start): Promise<number> {
  let code: number = EXIT.ok
  const exit = (ended: number) => {
    code = ended
  }
  try {
    await buildProgram({ ...start, exit }).parseAsync(args.length === 0 ? ['--help'] : [...args], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    const [first = '', ...rest] = wrapFor(process.stderr, `haft: ${messageOf(error)}`)
    const rows = [`${paintError('red', 'haft:')}${first.slice('haft:'.length)}`, ...rest]
    process.stderr.write(`${rows.join('\n')}\n`)
    return EXIT.failed
  }
}
