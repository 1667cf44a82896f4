import type { Command } from 'commander'
import type { Home } from '../../app/home.ts'
import { drawSession } from '../../core/session/draw-session.ts'
import { SESSION_WORDS, type SessionState } from '../../core/session/session-record.ts'
import { showMoment } from '../../core/terminal/since.ts'
import { wrapWords } from '../../core/terminal/text-width.ts'
import { askYes } from '../approval/prompt.ts'
import { addExamples, type Example } from '../help.ts'
import { findSession } from '../output/find-id.ts'
import { printFailure, reportProblem } from '../output/report-problem.ts'
import { type Conversation, listConversations } from '../run/find-conversation.ts'
import { hasPerson } from '../terminal/ask-line.ts'
import { type Cli, type CommonOptions, columnsOf, EXIT, paint } from '../terminal/front-end.ts'
import { type Cell, tableLines } from '../terminal/table.ts'
import { transcriptLines } from './transcript.ts'
import { withHome } from './with-home.ts'

interface SessionsOptions extends CommonOptions {
  limit: string
}

const EXAMPLES: readonly Example[] = [
  ['haft sessions', 'list the sessions'],
  ['haft sessions s_7f', 'show one'],
  ['haft sessions s_7f delete', 'delete one with its messages and outputs'],
]

/** Adds `haft sessions`: lists, shows and deletes sessions. */
export function addSessions(program: Command, cli: Cli, exit: (code: number) => void): void {
  const command = program
    .command('sessions')
    .description('List, show and delete sessions')
    .argument('[id]', 'id of a session, or its start')
    .argument('[action]', 'delete: remove its messages, outputs and sub-agents')
    .option('--limit <number>', 'list at most this many', '30')
    .option('-y, --yes', 'delete without asking')
    .option('--json', 'print JSON only')
    .action(async (id: string | undefined, action: string | undefined, options: SessionsOptions, command: Command) => {
      if (action !== undefined && action !== 'delete')
        command.error(`error: unknown action '${action}'; expected delete`)
      if (!/^[1-9]\d{0,8}$/.test(options.limit))
        command.error(`error: --limit ${options.limit}: expected a whole number above 0`)
      exit(
        await withHome(cli, options, (home) =>
          id === undefined ? list(cli, home, options) : one(cli, home, { id, action, options }),
        ),
      )
    })
  addExamples(command, EXAMPLES)
}

async function list(cli: Cli, home: Home, { json, limit }: SessionsOptions): Promise<number> {
  const found = await listConversations(home, Number(limit))
  if (json) cli.writeJson({ sessions: found })
  else if (found.length === 0) cli.print(paint('dim', 'No sessions yet. Start one with: haft run "…"'))
  else for (const line of tableLines(found.map(cellsOf), { last: 'cut' })) cli.print(line)
  return EXIT.ok
}

const STYLES: Partial<Record<SessionState, Cell['style']>> = { waiting: 'yellow', failed: 'red', running: 'cyan' }

function cellsOf({ session, lastAt, state, model, calls, title, first }: Conversation): Cell[] {
  return [
    { style: 'bold', text: session },
    { style: 'dim', text: showMoment(lastAt, Date.now()) },
    { style: STYLES[state] ?? 'dim', text: SESSION_WORDS[state] },
    { style: 'reset', text: model ?? '' },
    { style: 'dim', text: `${calls} ${calls === 1 ? 'call' : 'calls'}`, isRight: true },
    { style: 'reset', text: title ?? first },
  ]
}

interface Asked {
  readonly id: string
  readonly action: string | undefined
  readonly options: SessionsOptions
}

async function one(cli: Cli, home: Home, { id: given, action, options }: Asked): Promise<number> {
  const found = await findSession(home.log, given)
  if ('problem' in found) return reportProblem(cli, options, found.problem)
  return action === 'delete' ? remove(cli, home, { id: found.id, options }) : show(cli, home, { id: found.id, options })
}

async function show(cli: Cli, { log }: Home, { id, options }: Omit<Asked, 'action'>): Promise<number> {
  const view = drawSession(await log.read({ session: id }))
  if (options.json) {
    const { streamed: _, ...shown } = view
    cli.writeJson(shown)
    return EXIT.ok
  }
  const columns = columnsOf(process.stdout)
  const facts = [
    view.workspace,
    view.model,
    view.mode && `mode ${view.mode}`,
    view.tools && `tools ${view.tools.join(', ') || 'none'}${view.only ? ', no control tools' : ''}`,
  ]
  const head = [paint('bold', view.title ?? id), paint('dim', facts.filter(Boolean).join(' · '))]
  for (const line of head.flatMap((text) => wrapWords(text, columns))) cli.print(line)
  for (const line of transcriptLines(view, { paint, columns })) cli.print(line)
  return EXIT.ok
}

async function remove(cli: Cli, home: Home, { id, options }: Omit<Asked, 'action'>): Promise<number> {
  const mustAsk = !options.yes && !options.json && hasPerson()
  if (mustAsk && !(await askYes(`Delete the session ${id}, its messages and outputs?`))) return EXIT.refused
  const failed = await home.deleteSession(id)
  if (failed && !options.json) printFailure(cli, failed)
  if (options.json) cli.writeJson(failed ?? { ok: true, session: id })
  else if (!failed) cli.print(`Deleted ${paint('bold', id)}.`)
  return failed ? EXIT.failed : EXIT.ok
}
