import { type Command, Option } from 'commander'
import type { Home } from '../app/home.ts'
import type { OpenRequest } from '../core/approval/approval-queue.ts'
import { listApproval } from '../core/approval/listed-approval.ts'
import type { OpenInput } from '../core/input/input.ts'
import { requestLines } from '../core/terminal/request-lines.ts'
import { showMoment } from '../core/terminal/since.ts'
import { hangText, wrapWords } from '../core/terminal/text-width.ts'
import { answerInput, inputLines } from './approval/answer-input.ts'
import { type AnswerOptions, answerRequest } from './approval/answer-request.ts'
import { listGrants, revokeGrant } from './approval/grants.ts'
import { addExamples, type Example } from './help.ts'
import { reportProblem } from './output/report-problem.ts'
import { withHome } from './session/with-home.ts'
import { type Cli, columnsOf, EXIT, paint } from './terminal/front-end.ts'
import { type Cell, tableLines } from './terminal/table.ts'

const SCOPES = ['exact', 'prefix', 'folder', 'host', 'tool']

const EXAMPLES: readonly Example[] = [
  ['haft approvals', 'list the calls that wait'],
  ['haft approvals a_c_7f', 'show one in full'],
  ['haft approvals a_c_7f yes', 'approve it'],
  ['haft approvals a_c_7f no --reason "not here"', 'deny it, and tell the model why'],
  ['haft approvals a_c_7f yes --grant prefix --for 30m', 'approve, and do not ask for 30 minutes'],
  ['haft approvals i_c_7f "the second one"', 'answer a question of the model'],
  ['haft approvals grants', 'list the grants'],
]

/** Adds `haft approvals`: list the requests that wait, answer one, list and revoke grants. */
export function addApprovals(program: Command, cli: Cli, exit: (code: number) => void): void {
  const command = program
    .command('approvals')
    .description('List the approvals and questions that wait for you, or answer one')
    .argument('[id]', 'id of an approval request or a question, or its start; or "grants"')
    .argument('[answer]', 'yes, no or edit; the answer to a question; with "grants": revoke')
    .argument('[grant]', 'id of the grant to revoke')
    .option('--reason <text>', 'with no: the reason, shown to the model')
    .option('--arguments <json>', 'with edit: the arguments to run instead')
    .addOption(new Option('--grant <what>', 'with yes: also allow later calls like this one').choices(SCOPES))
    .option(
      '--for <limit>',
      'with --grant: always, session, minutes (30m) or uses (5x); for a job of a plan also job or plan',
      'always',
    )
    .option('--json', 'print JSON only')
    .action(async (...[id, answer, grant, options, command]: Given) => {
      const isInput = id?.startsWith('i_')
      if (answer !== undefined && !isInput && !(id === 'grants' ? ['revoke'] : ['yes', 'no', 'edit']).includes(answer))
        command.error(`error: unknown answer '${answer}' (expected ${id === 'grants' ? 'revoke' : 'yes, no or edit'})`)
      if (answer === 'revoke' && grant === undefined)
        command.error("error: missing argument 'grant' (list grants with: haft approvals grants)")
      exit(
        await withHome(cli, { json: options.json === true }, (home) =>
          decide(cli, home, { id, answer, grant, options }),
        ),
      )
    })
  addExamples(command, EXAMPLES)
}

type Given = [string | undefined, string | undefined, string | undefined, AnswerOptions, Command]

interface Arguments {
  readonly id: string | undefined
  readonly answer: string | undefined
  readonly grant: string | undefined
  readonly options: AnswerOptions
}

async function decide(cli: Cli, home: Home, { id, answer, grant, options }: Arguments): Promise<number> {
  if (id === 'grants')
    return answer ? revokeGrant(cli, home, { id: grant ?? '', options }) : listGrants(cli, home, options)
  if (id?.startsWith('i_')) return answerInput(cli, home, { id, answer, options })
  const open = await home.approvals.list()
  if (id === undefined) return list(cli, open, { inputs: await home.inputs.list(), options })
  const found = open.filter(({ request }) => request.approval === id)
  const near = found.length > 0 ? found : open.filter(({ request }) => request.approval.startsWith(id))
  const [one] = near
  if (near.length > 1)
    return reportProblem(cli, options, {
      code: 'INVALID_ARGUMENTS',
      text: `${near.length} approval requests start with ${id}. Give more of the id.`,
    })
  if (answer !== undefined) return answerRequest(cli, home, { id, open: one, answer, options })
  if (!one)
    return reportProblem(cli, options, {
      code: 'FILE_NOT_FOUND',
      text: `There is no open approval request ${id}. List them with: haft approvals`,
    })
  if (options.json) cli.writeJson(listApproval(one))
  else showInFull(cli, one)
  return EXIT.ok
}

interface Listed {
  readonly inputs: readonly OpenInput[]
  readonly options: AnswerOptions
}

function list(cli: Cli, open: readonly OpenRequest[], { inputs, options }: Listed): number {
  if (options.json) cli.writeJson({ approvals: open.map(listApproval), inputs })
  else if (open.length + inputs.length === 0) cli.print(paint('dim', 'No call waits for approval.'))
  else for (const line of [...open.map(lineOf), ...inputs.flatMap(inputLines)]) cli.print(line)
  return EXIT.ok
}

function lineOf({ request, askedAt, expiresAt, answer }: OpenRequest): string {
  const { approval, tool, reason, workspace, effects } = request
  const now = Date.now()
  const state = answer
    ? paint('yellow', 'answered, has not run yet')
    : paint('dim', `expires ${showMoment(expiresAt, now)}`)
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

function showInFull(cli: Cli, open: OpenRequest): void {
  cli.print(lineOf(open))
  for (const line of requestLines(open.request, {
    paint,
    limit: Number.POSITIVE_INFINITY,
    columns: columnsOf(process.stdout),
  }))
    cli.print(line)
  const grants = open.request.grants.map(({ scope, text }): Cell[] => [
    { style: 'dim', text: `--grant ${scope.kind}` },
    { style: 'reset', text },
  ])
  for (const line of tableLines(grants, { last: 'wrap' })) cli.print(line)
}
