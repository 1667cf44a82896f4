import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Home } from '../../app/home.ts'
import { printable } from '../../core/text/printable.ts'
import type { TuiOptions } from '../../tui/options.ts'
import { askYes } from '../approval/prompt.ts'
import { addExamples, type Example } from '../help.ts'
import { hostOptionsOf } from '../host-options.ts'
import { findSession, type IdProblem } from '../output/find-id.ts'
import { reportProblem } from '../output/report-problem.ts'
import { findLastConversation } from '../run/find-conversation.ts'
import { attachFiles } from '../run/read-prompt.ts'
import { sessionMarkdown } from '../session/session-markdown.ts'
import { editInEditor } from '../terminal/edit-in-editor.ts'
import { type Cli, type CommonOptions, homeFolder, modeOption, paint, workspaceOf } from '../terminal/front-end.ts'
import { terminalApp } from '../terminal/open-in-editor.ts'
import { runPlain } from './run-plain.ts'

/** Options of `haft` alone. */
export interface TuiCommandOptions extends CommonOptions {
  continue?: string | true
  model?: string
  plain?: boolean
}

const EXAMPLES: readonly Example[] = [
  ['haft', 'open the terminal UI in this folder'],
  ['haft --continue', 'go on with the last session of this folder'],
  ['haft --mode review --model demo', 'choose mode and model at the start'],
  ['haft --plain', 'lines only, for screen readers'],
]

/** Adds `haft tui`, which `haft` alone stands for. */
export function addTui(program: Command, cli: Cli, exit: (code: number) => void): void {
  const command = program
    .command('tui')
    .description('Open the terminal UI; haft alone does the same')
    .option('--continue [session]', 'continue a session (default: the last one of the folder)')
    .option('--model <model>', 'model to use (default: HAFT_MODEL, the settings, the first that is found, demo)')
    .addOption(modeOption())
    .option('--workspace <folder>', 'folder to work in (default: HAFT_WORKSPACE, else the current folder)')
    .option('--plain', 'print lines and redraw nothing, for screen readers')
    .action(async (options: TuiCommandOptions) => {
      if (!process.stdin.isTTY || !process.stdout.isTTY)
        command.error('error: the terminal UI needs a terminal. Without one use: haft run "…"')
      exit(await openHere(cli, options))
    })
  addExamples(command, EXAMPLES)
}

/** True for a command line that begins with an option of the terminal UI in place of a command. */
export function isTuiLine([first = '']: readonly string[]): boolean {
  return /^--(continue|model|mode|workspace|plain)(=|$)/.test(first)
}

async function openHere(cli: Cli, options: TuiCommandOptions): Promise<number> {
  const notices: string[] = []
  const { workspace = '.', ...given } = hostOptionsOf(cli, options)
  const home = await cli.openHome({
    ...given,
    wait: true,
    confirmWorkspace: (reason) => askYes(`${reason}. Continue?`),
    onNotice: (notice) => void notices.push(notice),
  })
  try {
    const continued = await findContinued(home, options)
    if (typeof continued === 'object') return reportProblem(cli, {}, continued.problem)
    if (options.plain || process.env.TERM === 'dumb') {
      // What is shown while a run goes on redraws no line in such a terminal.
      process.env.TERM = 'dumb'
      return await runPlain(cli, home, { ...options, ...(continued !== undefined && { continue: continued }) })
    }
    return await cli.openTui({ ...partsOf(cli, home, workspace), workspace, continued, notices, ...chosen(options) })
  } finally {
    await home.close()
  }
}

function chosen({ model, mode }: TuiCommandOptions): Pick<TuiOptions, 'model' | 'mode'> {
  return { ...(model !== undefined && { model }), ...(mode !== undefined && { mode }) }
}

type OwnParts = Omit<TuiOptions, 'workspace' | 'continued' | 'notices' | 'model' | 'mode'>

function partsOf(cli: Cli, home: Home, workspace: string): OwnParts {
  const editor = process.env.VISUAL || process.env.EDITOR
  return {
    ...{ home, paint, version: cli.version, isUtf8: isUtf8(), attach: attachFiles, app: terminalApp(cli.programs) },
    commandsFolder: join(homeFolder(), 'commands'),
    edit: editor ? (text, name) => editInEditor(editor, { programs: cli.programs, text, name }) : undefined,
    exportSession(view, folder) {
      const name = `haft-${view.session}.md`
      writeFileSync(join(folder, name), printable(sessionMarkdown(view)))
      return name
    },
    async explain(tool, session) {
      const findings = await cli.explainTool(home, { tool, workspace, session })
      return findings.map(({ cause, text }) => `${tool}: ${cause}. ${text}`)
    },
  }
}

/** True unless the locale names another character set; a locale that names none is taken for UTF-8 except C and POSIX. */
function isUtf8(): boolean {
  const { LC_ALL, LC_CTYPE, LANG } = process.env
  const locale = LC_ALL || LC_CTYPE || LANG || ''
  if (/utf-?8/i.test(locale)) return true
  return !(locale === 'C' || locale === 'POSIX' || locale.includes('.'))
}

async function findContinued(
  home: Home,
  options: TuiCommandOptions,
): Promise<string | undefined | { problem: IdProblem }> {
  const { continue: wanted } = options
  if (wanted === undefined) return undefined
  if (wanted === true) return findLastConversation(home, (await home.host(workspaceOf(options))).workspace)
  const found = await findSession(home.log, wanted)
  return 'problem' in found ? found : found.id
}
