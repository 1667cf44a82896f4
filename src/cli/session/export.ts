import { type Command, Option } from 'commander'
import { drawSession } from '../../core/session/draw-session.ts'
import { printable } from '../../core/text/printable.ts'
import { addExamples, type Example } from '../help.ts'
import { findSession } from '../output/find-id.ts'
import { reportProblem } from '../output/report-problem.ts'
import { type Cli, type CommonOptions, EXIT } from '../terminal/front-end.ts'
import { sessionMarkdown } from './session-markdown.ts'
import { withHome } from './with-home.ts'

interface ExportOptions extends CommonOptions {
  format: 'md' | 'json'
}

const EXAMPLES: readonly Example[] = [
  ['haft export s_7f > session.md', 'write a session as Markdown'],
  ['haft export s_7f --format json', 'print its events'],
]

/** Adds `haft export`: prints a session as Markdown, or all of its events as JSON. */
export function addExport(program: Command, cli: Cli, exit: (code: number) => void): void {
  const command = program
    .command('export')
    .description('Print a session as Markdown or JSON')
    .argument('<session>', 'id of a session, or its start')
    .addOption(
      new Option('--format <format>', 'md for people, json for programs').choices(['md', 'json']).default('md'),
    )
    .action(async (id: string, options: ExportOptions) => {
      exit(
        await withHome(cli, options, async ({ log }) => {
          const found = await findSession(log, id)
          if ('problem' in found) return reportProblem(cli, {}, found.problem)
          const events = await log.read({ session: found.id })
          if (options.format === 'json') cli.writeJson({ session: found.id, events }, 2)
          else cli.write(printable(sessionMarkdown(drawSession(events))))
          return EXIT.ok
        }),
      )
    })
  addExamples(command, EXAMPLES)
}
