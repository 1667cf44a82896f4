import type { HostOptions } from '../app/create-host.ts'
import { askYes, terminalPrompt } from './approval/prompt.ts'
import { type Cli, type CommonOptions, columnsOf, homeFolder, paintError, workspaceOf } from './terminal/front-end.ts'
import { hangText } from './terminal/text-width.ts'

/** What a command that only looks makes its host of; a problem with the log is told once. */
export function hostOptionsOf(cli: Cli, options: CommonOptions): HostOptions {
  return {
    workspace: workspaceOf(options),
    home: homeFolder(),
    confirmWorkspace: () => true,
    onProblem: (problem) => {
      const text = paintError('reset', problem ?? 'it can be written again')
      cli.tell(hangText(paintError('yellow', 'log '), text, columnsOf(process.stderr)).join('\n'))
    },
  }
}

/** What a command that makes calls makes its host of: the person at the terminal confirms and answers. */
export function callingOptionsOf(cli: Cli, options: CommonOptions): HostOptions {
  const approver = terminalPrompt()
  return {
    ...hostOptionsOf(cli, options),
    ...(approver && { approver: { ...approver, name: 'terminal' } }),
    ...(options.wait && { wait: true }),
    confirmWorkspace: (reason) => options.yes === true || askYes(`${reason}. Work in all of it?`),
  }
}
