import type { Command } from 'commander'
import type { Host } from '../app/host.ts'
import { exitCodeOf } from './call.ts'
import { callingOptionsOf } from './host-options.ts'
import { chooseLast, chooseNamed } from './output/choose-undo.ts'
import { sayProse, tellFailure } from './output/report-problem.ts'
import { type Cli, type CommonOptions, decisionOf } from './terminal/front-end.ts'
import { withLog } from './with-log.ts'

interface UndoCommandOptions extends CommonOptions {
  force?: boolean
}

/** `haft undo`: puts back what file tools changed, after showing it and asking. */
export function addUndo(program: Command, cli: Cli, exit: (code: number) => void): void {
  program
    .command('undo')
    .description('put back what a call, or all calls of a session, changed in files')
    .argument('[id]', 'a call or a session, or the start of its id; the last change in this workspace when left out')
    .option('--force', 'set aside what was changed since, instead of refusing')
    .option('--workspace <folder>', 'the folder the calls worked in')
    .option('-y, --yes', 'do not ask')
    .option('--wait', 'with nobody at this terminal, wait for an answer from another door (haft approvals)')
    .option('--json', 'print the result as JSON and nothing else')
    .action(async (id: string | undefined, options: UndoCommandOptions) => {
      const work = (host: Host) => undo(cli, host, { id, options })
      exit(await withLog(cli, { ...options, host: callingOptionsOf(cli, options), work }))
    })
}

interface Wish {
  readonly id: string | undefined
  readonly options: UndoCommandOptions
}

async function undo(cli: Cli, host: Host, { id, options }: Wish): Promise<number> {
  const choice = id === undefined ? await chooseLast(cli, host, options) : await chooseNamed(host, id)
  const result =
    'calls' in choice
      ? await host.undo(choice.calls, { force: options.force ?? false, ...decisionOf(options) })
      : choice
  if (options.json) cli.write(`${JSON.stringify(result)}\n`)
  else if (result.ok) sayProse(cli, result.text)
  else tellFailure(cli, result)
  return exitCodeOf(result)
}
