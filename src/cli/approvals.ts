import { type Command, Option } from 'commander'
import type { Host } from '../app/host.ts'
import type { OpenQuestion } from '../core/approval/approval-queue.ts'
import { type AnswerOptions, answerQuestion } from './approval/answer-request.ts'
import { listGrants, revokeGrant } from './approval/grants.ts'
import { questionLines } from './approval/request-lines.ts'
import { refuse } from './output/report-problem.ts'
import { type Cli, columnsOf, EXIT, paint } from './terminal/front-end.ts'
import { showMoment } from './terminal/since.ts'
import { type Cell, tableLines } from './terminal/table.ts'
import { hangText, wrapWords } from './terminal/text-width.ts'
import { withLog } from './with-log.ts'

const SCOPES = ['exact', 'prefix', 'folder', 'host', 'tool']

/** `haft approvals`: the questions that wait, answering one, and what was granted. */
export function addApprovals(program: Command, cli: Cli, exit: (code: number) => void): void {
  program
    .command('approvals')
    .description('list the questions that wait, answer one, or list and revoke grants')
    .argument('[id]', 'the question, or the start of its id; or: grants')
    .argument('[answer]', 'yes, no or edit; with grants: revoke')
    .argument('[grant]', 'with grants revoke: which')
    .option('--reason <text>', 'with no: why not')
    .option('--arguments <json>', 'with edit: what to run instead')
    .addOption(new Option('--grant <what>', 'with yes: remember it for this').choices(SCOPES))
    .option('--for <limit>', 'how long a grant holds: always, session, 30m, 5x', 'always')
    .option('--json', 'print JSON and nothing else')
    .action(async (...[id, answer, grant, options, command]: Given) => {
      if (answer !== undefined && !(id === 'grants' ? ['revoke'] : ['yes', 'no', 'edit']).includes(answer))
        command.error(`error: unknown answer '${answer}' (expected ${id === 'grants' ? 'revoke' : 'yes, no or edit'})`)
      if (answer === 'revoke' && grant === undefined)
        command.error("error: missing argument 'grant' (haft approvals grants lists them)")
      exit(await withLog(cli, { ...options, work: (host) => decide(cli, host, { id, answer, grant, options }) }))
    })
}

type Given = [string | undefined, string | undefined, string | undefined, AnswerOptions, Command]

interface Wish {
  readonly id: string | undefined
  readonly answer: string | undefined
  readonly grant: string | undefined
  readonly options: AnswerOptions
}

async function decide(cli: Cli, host: Host, { id, answer, grant, options }: Wish): Promise<number> {
  if (id === 'grants')
    return answer ? revokeGrant(cli, host, { id: grant ?? '', options }) : listGrants(cli, host, options)
  const open = await host.approvals.list()
  if (id === undefined) return list(cli, open, options)
  const found = open.filter(({ question }) => question.approval === id)
  const near = found.length > 0 ? found : open.filter(({ question }) => question.approval.startsWith(id))
  const [one] = near
  if (near.length > 1)
    return refuse(cli, options, { code: 'INVALID_ARGUMENTS', text: `${near.length} questions start with ${id}.` })
  if (answer !== undefined) return answerQuestion(cli, host, { id, open: one, answer, options })
  if (!one) return refuse(cli, options, { code: 'FILE_NOT_FOUND', text: `There is no open question ${id}.` })
  if (options.json) cli.write(`${JSON.stringify(one)}\n`)
  else showWhole(cli, one)
  return EXIT.ok
}

function list(cli: Cli, open: readonly OpenQuestion[], { json }: AnswerOptions): number {
  if (json) cli.write(`${JSON.stringify({ approvals: open })}\n`)
  else if (open.length === 0) cli.say(paint('dim', 'nothing waits for an answer'))
  else for (const one of open) cli.say(lineOf(one))
  return EXIT.ok
}

function lineOf({ question, askedAt, expiresAt, answer }: OpenQuestion): string {
  const { approval, tool, reason, workspace, effects } = question
  const now = Date.now()
  const state = answer ? paint('yellow', 'answered, not run yet') : paint('dim', `until ${showMoment(expiresAt, now)}`)
  const columns = columnsOf(process.stdout)
  const below = [
    ...effects.slice(0, 3).map((effect) => paint('reset', effect.split('\n')[0] ?? '')),
    `${paint('dim', `asked ${showMoment(askedAt, now)} in ${workspace},`)} ${state}`,
  ]
  return [
    ...wrapWords(`${paint('bold', approval)}  ${paint('cyan', tool)}  ${paint('reset', reason)}`, columns),
    ...below.flatMap((text) => hangText('    ', text, columns)),
  ].join('\n')
}

function showWhole(cli: Cli, open: OpenQuestion): void {
  cli.say(lineOf(open))
  for (const line of questionLines(open.question, {
    paint,
    limit: Number.POSITIVE_INFINITY,
    columns: columnsOf(process.stdout),
  }))
    cli.say(line)
  const grants = open.question.grants.map(({ scope, text }): Cell[] => [
    { style: 'dim', text: `--grant ${scope.kind}` },
    { style: 'reset', text },
  ])
  for (const line of tableLines(grants, { last: 'wrap' })) cli.say(line)
}
