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
  const { file, content, isTrusted, ignored, usersOwn } = host.project
  const report = (trusted: boolean) =>
    cli.write(`${JSON.stringify({ path: file.path, trusted, ignored: trusted ? usersOwn : ignored })}\n`)
  if (content === undefined || isTrusted) {
    if (options.json) report(true)
    else
      sayProse(
        cli,
        content === undefined
          ? `This project asks for nothing: there is no ${file.path}.`
          : `${file.source === undefined ? 'The tools of this project are' : `${file.path} is`} trusted already.`,
      )
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
  else cli.say(paint('green', 'Trusted. When the file changes, it has to be trusted again.'))
  return EXIT.ok
}

/** Text of the project is indented on every row, so that none of it can pass for ours. */
function show(cli: Cli, { project: { file, tools, ignored, usersOwn } }: Host): void {
  cli.say(paint('bold', file.source === undefined ? `${file.path} (there is none)` : file.path))
  const sayInside = (style: Style, text: string) => {
    for (const row of wrapInside(text, columnsOf(process.stdout))) cli.say(`  ${paint(style, row)}`)
  }
  sayInside('reset', (file.source ?? '').trimEnd())
  if (tools.length > 0) cli.say(paint('bold', 'Tools of its own, whose code runs in the sandbox; read them first:'))
  for (const path of tools) sayInside('reset', path)
  const waiting = ignored.filter((one) => !usersOwn.includes(one))
  cli.say(paint('bold', 'Until it is trusted, these do not count:'))
  for (const one of waiting.length > 0 ? waiting : ['nothing: what counts of it only makes things stricter'])
    sayInside('yellow', one)
  if (usersOwn.length === 0) return
  cli.say(paint('bold', 'These never count, since only your own settings say them:'))
  for (const one of usersOwn) sayInside('dim', one)
}
