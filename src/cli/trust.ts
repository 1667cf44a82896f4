import type { Command } from 'commander'
import type { Host } from '../app/host.ts'
import { hasPerson } from './ask-line.ts'
import { type Cli, type CommonOptions, columnsOf, EXIT, paint, paintError, type Style } from './face.ts'
import { hostOptionsOf } from './host-options.ts'
import { askYes } from './prompt.ts'
import { wrapInside } from './question-lines.ts'
import { sayProse } from './tell-problem.ts'

/** `haft trust`: shows what a project's own settings ask for, then records that this very content is trusted. */
export function addTrust(program: Command, cli: Cli, exit: (code: number) => void): void {
  program
    .command('trust')
    .description("show what this project's .haft/settings.toml asks for, and trust it")
    .option('--workspace <folder>', 'the project')
    .option('-y, --yes', 'trust it without asking')
    .option('--json', 'print JSON and nothing else')
    .action(async (options: CommonOptions) => {
      const host = await cli.createHost(hostOptionsOf(cli, options))
      try {
        exit(await decide(cli, host, options))
      } finally {
        await host.close()
      }
    })
}

async function decide(cli: Cli, host: Host, options: CommonOptions): Promise<number> {
  const { file, isTrusted, ignored, usersOwn, tools } = host.project
  const report = (trusted: boolean) => {
    const own = tools.files.length > 0 && { tools: { path: tools.folder, files: tools.files } }
    cli.write(`${JSON.stringify({ path: file.path, trusted, ignored: trusted ? usersOwn : ignored, ...own })}\n`)
  }
  if (isTrusted && (tools.isTrusted || tools.files.length === 0)) {
    if (options.json) report(true)
    else sayProse(cli, describeTrusted(host))
    return EXIT.ok
  }
  if (!options.json) show(cli, host)
  if (!options.yes && !(await askYes('Trust exactly this content?'))) {
    if (options.json) report(false)
    else
      cli.tell(paintError('yellow', hasPerson() ? 'Not trusted.' : 'Not trusted: nobody to ask here; --yes answers.'))
    return EXIT.refused
  }
  host.trustProject()
  if (options.json) report(true)
  else cli.say(paint('green', 'Trusted. When a file of it changes, it has to be trusted again.'))
  return EXIT.ok
}

function describeTrusted({ project: { file, tools } }: Host): string {
  if (tools.files.length > 0) return `${file.source === undefined ? tools.folder : file.path} is trusted already.`
  return file.source === undefined
    ? `This project asks for nothing: there is no ${file.path}.`
    : `${file.path} is trusted already.`
}

/** Text of the project is indented on every row, so that none of it can pass for ours. */
function show(cli: Cli, { project }: Host): void {
  if (project.file.source !== undefined && !project.isTrusted) showSettings(cli, project)
  if (project.tools.files.length > 0 && !project.tools.isTrusted) showTools(cli, project)
}

function sayInside(cli: Cli, style: Style, text: string): void {
  for (const row of wrapInside(text, columnsOf(process.stdout))) cli.say(`  ${paint(style, row)}`)
}

function showSettings(cli: Cli, { file, ignored, usersOwn }: Host['project']): void {
  cli.say(paint('bold', file.path))
  sayInside(cli, 'reset', (file.source ?? '').trimEnd())
  const waiting = ignored.filter((one) => !usersOwn.includes(one))
  cli.say(paint('bold', 'Until it is trusted, these do not count:'))
  for (const one of waiting.length > 0 ? waiting : ['nothing: what counts of it only makes things stricter'])
    sayInside(cli, 'yellow', one)
  if (usersOwn.length === 0) return
  cli.say(paint('bold', 'These never count, since only your own settings say them:'))
  for (const one of usersOwn) sayInside(cli, 'dim', one)
}

/** The code itself is too long to show: its files are named, to be read before. */
function showTools(cli: Cli, { tools }: Host['project']): void {
  cli.say(paint('bold', tools.folder))
  for (const file of tools.files) sayInside(cli, 'reset', file)
  if (tools.content === undefined)
    sayInside(cli, 'red', 'These are too many or too large to be trusted, or some are no files; they stay unloaded.')
  cli.say(
    paint(
      'bold',
      'Once they are trusted, these files are loaded, and models can call their tools. They run in the sandbox.',
    ),
  )
  sayProse(cli, 'Read them first.')
}
