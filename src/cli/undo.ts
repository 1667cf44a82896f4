import type { Command } from 'commander'
import type { Host } from '../app/host.ts'
import { exitCodeOf } from './call.ts'
import { addExamples, type Example } from './help.ts'
import { callingOptionsOf } from './host-options.ts'
import { chooseLast, chooseNamed } from './output/choose-undo.ts'
import { printFailure, printProse } from './output/report-problem.ts'
import { type Cli, type CommonOptions, decisionOf } from './terminal/front-end.ts'
import { withLog } from './with-log.ts'

interface UndoCommandOptions extends CommonOptions {
  force?: boolean
}

const EXAMPLES: readonly Example[] = [
  ['haft undo', 'undo the last change in this workspace'],
  ['haft undo c_7f', 'undo one call'],
  ['haft undo s_2a --yes', 'undo a session without asking'],
]

/** Adds `haft undo`: restores what a call changed, after showing it and asking. */
export function addUndo(program: Command, cli: Cli, exit: (code: number) => void): void {
  const command = program
    .command('undo')
    .description('Restore the files that a call or a session changed')
    .argument('[id]', 'id of a call or session, or its start (default: the last change in this workspace)')
    .option('--force', 'undo even if files changed since; the newer content is kept beside them')
    .option(
      '--workspace <folder>',
      'folder that the calls worked in (default: HAFT_WORKSPACE, else the current folder)',
    )
    .option('-y, --yes', 'undo without asking')
    .option('--wait', 'if no person is at this terminal, wait for an answer from elsewhere (haft approvals)')
    .option('--json', 'print the result as JSON only')
    .action(async (id: string | undefined, options: UndoCommandOptions) => {
      const work = (host: Host) => undo(cli, host, { id, options })
      exit(await withLog(cli, { ...options, host: callingOptionsOf(cli, options), work }))
    })
  addExamples(command, EXAMPLES)
}

interface UndoRequest {
  readonly id: string | undefined
  readonly options: UndoCommandOptions
}

async function undo(cli: Cli, host: Host, { id, options }: UndoRequest): Promise<number> {
  const choice = id === undefined ? await chooseLast(cli, host, options) : await chooseNamed(host, id)
  const result =
    'calls' in choice
      ? await host.undo(choice.calls, { force: options.force ?? false, ...decisionOf(options) })
      : choice
  if (options.json) cli.writeJson(result)
  else if (result.ok) printProse(cli, result.text)
  else printFailure(cli, result)
  return exitCodeOf(result)
}
