import { Command, CommanderError } from 'commander'
import { messageOf } from '../core/result.ts'
import { addApprovals } from './approvals.ts'
import { addCall } from './call.ts'
import { addCheck } from './check.ts'
import { addDoctor } from './doctor.ts'
import { createCli, EXIT, type HostMaker, paintError } from './face.ts'
import { addLog } from './log.ts'
import { addRules } from './rules.ts'
import { addTasks } from './tasks.ts'
import { addTools } from './tools.ts'
import { addTrust } from './trust.ts'
import { addUndo } from './undo.ts'

/** What the command line is given by whoever starts it. */
interface Start {
  readonly version: string
  readonly createHost: HostMaker
}

/** Builds the command line; every command says by `exit` how it ended. */
export function buildProgram({ version, createHost, exit }: Start & { exit: (code: number) => void }): Command {
  const program = new Command('haft')
    .description('Runs tool calls of language models: repaired, checked, judged, asked about, bounded and logged.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showSuggestionAfterError()
    .exitOverride()
  const cli = createCli(createHost)
  const commands = [addCall, addCheck, addTools, addTasks, addApprovals, addLog, addUndo, addRules, addTrust, addDoctor]
  for (const add of commands) add(program, cli, exit)
  program.addHelpText('after', EXAMPLES)
  return program
}

const EXAMPLES = `
Examples:
  haft tools                                      what a model can call
  haft call task_complete '{"summary":"done"}'    one call, through every room
  haft check task_complete '{"sumary":"done"}'    what would happen to it, and why
  haft approvals                                  what waits for an answer
  haft log --since 1h --outcome BLOCKED           what was refused in the last hour
  haft doctor                                     what holds on this machine

Exit codes: 0 ok, 1 failed, 2 usage, 3 blocked or denied, 130 interrupted.
`

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
    process.stderr.write(`${paintError('red', 'haft:')} ${paintError('reset', messageOf(error))}\n`)
    return EXIT.failed
  }
}
