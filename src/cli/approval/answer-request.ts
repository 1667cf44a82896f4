import type { Home } from '../../app/home.ts'
import type { Reply } from '../../core/approval/approval.ts'
import type { OpenRequest } from '../../core/approval/approval-queue.ts'
import type { GrantChoice, GrantScope } from '../../core/approval/grant.ts'
import { messageOf } from '../../core/call/result.ts'
import { requestLines } from '../../core/terminal/request-lines.ts'
import { exitCodeOf } from '../call.ts'
import { printResult } from '../output/print-result.ts'
import { printFailure, printProse } from '../output/report-problem.ts'
import { resumeRun } from '../run/resume-run.ts'
import { hasPerson } from '../terminal/ask-line.ts'
import { type Cli, type CommonOptions, columnsOf, EXIT, paint, paintError } from '../terminal/front-end.ts'
import { followOutput } from '../terminal/live-output.ts'
import { readLimits } from './choose-grant.ts'
import { askChanged } from './prompt.ts'

/** Options of `haft approvals`. */
export interface AnswerOptions extends CommonOptions {
  reason?: string
  arguments?: string
  grant?: GrantScope['kind']
  for?: string
}

interface Answering {
  readonly id: string
  readonly open: OpenRequest | undefined
  readonly answer: string
  readonly options: AnswerOptions
}

/** Answers an approval request. If the process that asked has ended, runs the call here, in its own workspace, and goes on with the run that it was part of. Resolves to the exit code. */
export async function answerRequest(cli: Cli, home: Home, answering: Answering): Promise<number> {
  const { open, answer, options } = answering
  const id = open?.request.approval ?? answering.id
  const reply = await makeReply(cli, home, { ...answering, id })
  if (typeof reply === 'number') return reply
  const live = options.json ? undefined : followOutput(home)
  const taken = await home.approvals.answer(id, reply, {
    by: 'haft approvals',
    ...(open && { digest: open.request.digest }),
  })
  live?.stop()
  if (options.json) cli.writeJson({ approval: id, ...taken })
  else if (!taken.ok) printFailure(cli, taken)
  else if (taken.runs === 'asker')
    printProse(cli, `${id}: answered ${answer}. The process that asked continues the call.`)
  else printResult(cli, live?.leftOf(taken.result, open?.request.call ?? '') ?? taken.result)
  if (!taken.ok) return EXIT.failed
  if (taken.runs === 'asker' || !open) return EXIT.ok
  const code = await resumeRun(cli, home, { session: open.request.session, options })
  return code ?? (reply.approved ? exitCodeOf(taken.result) : EXIT.ok)
}

/** Returns the reply that the command line asks for, or an exit code if the command line is wrong or the person went back. */
async function makeReply(cli: Cli, home: Home, { id, open, answer, options }: Answering): Promise<Reply | number> {
  if (answer === 'no') return { approved: false, ...(options.reason && { reason: options.reason }) }
  if (answer === 'yes') {
    const grant = options.grant && grantOf(options.grant, options.for)
    if (grant !== null) return { approved: true, ...(grant && { grant }) }
    cli.printError(
      paintError(
        'red',
        `--for ${options.for}: expected always, session, minutes (30m), a number of uses (5x), or, for a job of a plan, job or plan`,
      ),
    )
    return EXIT.usage
  }
  if (options.arguments !== undefined) return readChanged(cli, options.arguments)
  if (!open || !hasPerson()) {
    cli.printError(
      paintError(
        'red',
        open
          ? 'edit needs a terminal, or --arguments JSON'
          : `There is no open approval request ${id}. List them with: haft approvals`,
      ),
    )
    return open ? EXIT.usage : EXIT.failed
  }
  for (const line of requestLines(open.request, { paint, limit: 60, columns: columnsOf(process.stdout) }))
    cli.print(line)
  const { signal } = new AbortController()
  const check = (changed: unknown) => home.approvals.check(id, changed)
  const reply = await askChanged({ request: open.request, signal, check, programs: cli.programs })
  if (reply === undefined) printProse(cli, `${id} still waits for an answer.`)
  return reply ?? EXIT.ok
}

function grantOf(scope: GrantScope['kind'], limit = 'always'): GrantChoice | null {
  const limits = readLimits(limit)
  return limits ? { scope, ...limits } : null
}

function readChanged(cli: Cli, text: string): Reply | number {
  try {
    return { approved: true, modifiedArgs: JSON.parse(text) }
  } catch (thrown) {
    cli.printError(paintError('red', `--arguments: ${messageOf(thrown)}`))
    return EXIT.usage
  }
}
