import type { HostOptions } from '../app/create-host.ts'
import { hangText } from '../core/terminal/text-width.ts'
import { askYes, terminalPrompt } from './approval/prompt.ts'
import { type Cli, type CommonOptions, columnsOf, homeFolder, paintError, workspaceOf } from './terminal/front-end.ts'

/** Returns the host options of a command that makes no calls. Problems with the log are printed to stderr. */
export function hostOptionsOf(cli: Cli, options: CommonOptions): HostOptions {
  return {
    workspace: workspaceOf(options),
    home: homeFolder(),
    ...(options.mode && { mode: options.mode }),
    confirmWorkspace: () => true,
    onNotice: (notice) => {
      const lines = hangText(paintError('yellow', 'note '), paintError('reset', notice), columnsOf(process.stderr))
      cli.printError(lines.join('\n'))
    },
    onProblem: (problem) => {
      const text = paintError('reset', problem ?? 'can be written again')
      cli.printError(hangText(paintError('yellow', 'log '), text, columnsOf(process.stderr)).join('\n'))
    },
  }
}

/** Returns the host options of a command that makes calls: the person at the terminal confirms a wide workspace and answers approval requests. */
export function callingOptionsOf(cli: Cli, options: CommonOptions): HostOptions {
  const approver = terminalPrompt(cli.programs)
  return {
    ...hostOptionsOf(cli, options),
    ...(approver && { approver: { ...approver, name: 'terminal' } }),
    ...(options.wait && { wait: true }),
    confirmWorkspace: (reason) => options.yes === true || askYes(`${reason}. Continue?`),
  }
}
