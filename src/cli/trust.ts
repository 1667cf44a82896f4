import type { Command } from 'commander'
import type { Host } from '../app/host.ts'
import { wrapInside } from '../core/terminal/request-lines.ts'
import type { Style } from '../core/terminal/style.ts'
import { askYes } from './approval/prompt.ts'
import { hostOptionsOf } from './host-options.ts'
import { printProse } from './output/report-problem.ts'
import { hasPerson } from './terminal/ask-line.ts'
import { type Cli, type CommonOptions, columnsOf, EXIT, paint, paintError } from './terminal/front-end.ts'

/** Adds `haft trust`: shows the settings of a project, then records that this content is trusted. */
export function addTrust(program: Command, cli: Cli, exit: (code: number) => void): void {
  program
    .command('trust')
    .description("Show this project's .haft/settings.toml and trust it")
    .option('--workspace <folder>', 'folder of the project (default: HAFT_WORKSPACE, else the current folder)')
    .option('-y, --yes', 'trust without asking')
    .option('--json', 'print JSON only')
    .action(async (options: CommonOptions) => {
      const host = await cli.createHost({ ...hostOptionsOf(cli, options), toolFolders: false })
      try {
        exit(await decide(cli, host, options))
      } finally {
        await host.close()
      }
    })
}

async function decide(cli: Cli, host: Host, options: CommonOptions): Promise<number> {
  const { file, content, isTrusted, ignored, usersOwn } = host.project
  const report = (trusted: boolean) =>
    cli.writeJson({ path: file.path, trusted, ignored: trusted ? usersOwn : ignored })
  if (content === undefined || isTrusted) {
    if (options.json) report(true)
    else
      printProse(
        cli,
        content === undefined
          ? `Nothing to trust: there is no ${file.path}.`
          : `${file.source === undefined ? 'The tools of this project are' : `${file.path} is`} already trusted.`,
      )
    return EXIT.ok
  }
  if (!options.json) show(cli, host)
  if (!options.yes && !(await askYes('Trust this content?'))) {
    if (options.json) report(false)
    else
      cli.printError(
        paintError(
          'yellow',
          hasPerson() ? 'Not trusted.' : 'Not trusted: nobody is here to confirm. Use --yes to trust it.',
        ),
      )
    return EXIT.refused
  }
  host.trustProject()
  if (options.json) report(true)
  else cli.print(paint('green', 'Trusted. If the file changes, run haft trust again.'))
  return EXIT.ok
}

/** Prints the settings of the project. Every row of them is indented, so that none can imitate Haft's own output. */
function show(cli: Cli, { project: { file, tools, ignored, usersOwn } }: Host): void {
  cli.print(paint('bold', file.source === undefined ? `${file.path} (there is none)` : file.path))
  const printInside = (style: Style, text: string) => {
    for (const row of wrapInside(text, columnsOf(process.stdout))) cli.print(`  ${paint(style, row)}`)
  }
  printInside('reset', (file.source ?? '').trimEnd())
  if (tools.length > 0) cli.print(paint('bold', 'Tools of its own, whose code runs in the sandbox; read them first:'))
  for (const path of tools) printInside('reset', path)
  const waiting = ignored.filter((one) => !usersOwn.includes(one))
  cli.print(paint('bold', 'Ignored until you trust it:'))
  for (const one of waiting.length > 0
    ? waiting
    : ['nothing; its settings only add restrictions, and these already apply'])
    printInside('yellow', one)
  if (usersOwn.length === 0) return
  cli.print(paint('bold', 'Always ignored, because only your own settings can set them:'))
  for (const one of usersOwn) printInside('dim', one)
}
