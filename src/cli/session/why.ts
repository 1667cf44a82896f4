import type { Command } from 'commander'
import type { Home } from '../../app/home.ts'
import { hangText, wrapWords } from '../../core/terminal/text-width.ts'
import { isControl } from '../../core/tool/snapshot.ts'
import { addExamples, type Example } from '../help.ts'
import { findSession } from '../output/find-id.ts'
import { reportProblem } from '../output/report-problem.ts'
import { findLastConversation } from '../run/find-conversation.ts'
import { type Cli, type CommonOptions, columnsOf, EXIT, paint, workspaceOf } from '../terminal/front-end.ts'
import { withHome } from './with-home.ts'

interface WhyOptions extends CommonOptions {
  session?: string
}

const EXAMPLES: readonly Example[] = [
  ['haft why shell', 'ask about the last session in this folder'],
  ['haft why invoice_total --session s_7f', 'ask about another session'],
]

/** Adds `haft why`: says why a tool was not offered, not called, blocked, or its result not used. */
export function addWhy(program: Command, cli: Cli, exit: (code: number) => void): void {
  const command = program
    .command('why')
    .description('Explain why a tool was not offered, not called or blocked, or its result ignored')
    .argument('<tool>', 'name of the tool')
    .option('--session <id>', 'session to look at (default: the last one of the folder)')
    .option('--workspace <folder>', 'folder to work in (default: HAFT_WORKSPACE, else the current folder)')
    .option('--json', 'print JSON only')
    .action(async (tool: string, options: WhyOptions) => {
      exit(await withHome(cli, options, (home) => explain(cli, home, { tool, options })))
    })
  addExamples(command, EXAMPLES)
}

interface Asked {
  readonly tool: string
  readonly options: WhyOptions
}

async function explain(cli: Cli, home: Home, { tool, options }: Asked): Promise<number> {
  const given = workspaceOf(options)
  const { workspace, registry } = await home.host(given)
  const found = options.session === undefined ? undefined : await findSession(home.log, options.session)
  if (found && 'problem' in found) return reportProblem(cli, options, found.problem)
  const last = found ? found.id : await findLastConversation(home, workspace)
  const session = typeof last === 'string' ? last : undefined
  const findings = await cli.explainTool(home, { tool, workspace, session })
  if (options.json) {
    cli.writeJson({ tool, session: session ?? null, findings })
    return EXIT.ok
  }
  const columns = columnsOf(process.stdout)
  const where = session === undefined ? 'no session yet in this folder' : `session ${session}`
  for (const row of wrapWords(`${paint('bold', tool)}  ${paint('dim', where)}`, columns)) cli.print(row)
  for (const { cause, text, call } of findings) {
    const head = `${paint(cause === 'used' ? 'green' : 'yellow', cause)}  `
    const tail = call === undefined ? '' : ` ${paint('dim', `(haft log ${call})`)}`
    for (const row of hangText(head, `${paint('reset', text)}${tail}`, columns)) cli.print(row)
  }
  if (findings.some(({ cause }) => cause === 'not-selected')) {
    const control = registry.snapshot().tools.filter(isControl)
    const names = control.map(({ tool: { name } }) => name).join(', ')
    const text = `Control tools come with every selection that is not empty, unless --only leaves them out: ${names}.`
    for (const row of wrapWords(paint('dim', text), columns)) cli.print(row)
  }
  return EXIT.ok
}
