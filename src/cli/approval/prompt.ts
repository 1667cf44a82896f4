import type { ApprovalChecks, ApprovalRequest, Approver, Reply } from '../../core/approval/approval.ts'
import type { Programs } from '../../core/ports/developer/programs.ts'
import { dryRunLines, type RequestLook, requestLines } from '../../core/terminal/request-lines.ts'
import { askAfterPause, askLine, hasPerson, rejectAnswer } from '../terminal/ask-line.ts'
import { columnsOf, paintError } from '../terminal/front-end.ts'
import { askQuestion } from './ask-question.ts'
import { chooseGrant } from './choose-grant.ts'
import { editArguments } from './edit-arguments.ts'

/** Makes the approver that prompts in this terminal, on stderr so that stdout carries the result only. It also answers the questions of tools. Shows one at a time. Returns undefined if no person is at the terminal. */
export function terminalPrompt(programs: Programs): Approver | undefined {
  if (!hasPerson()) return undefined
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(show: () => Promise<T>): Promise<T> => {
    const turn = last.then(show)
    last = turn.catch(() => undefined)
    return turn
  }
  return {
    ask: (request, signal, checks) => inTurn(() => promptOnce({ request, signal, checks, programs })),
    input: (question, signal) => inTurn(() => askQuestion(question, signal)),
  }
}

/** Asks for yes or no in this terminal; resolves to false if no person is there. */
export async function askYes(text: string): Promise<boolean> {
  if (!hasPerson()) return false
  const { signal } = new AbortController()
  for (;;) {
    const answer = await askAfterPause({ text: `${text} ${paintError('bold', '[y]es [n]o')} › `, signal })
    const word = answer?.trim().toLowerCase() ?? 'no'
    if (/^(y(es)?|no?)?$/.test(word)) return word.startsWith('y')
    rejectAnswer(word, 'y or n, and Enter')
  }
}

/** One approval request while it is shown. */
export interface PendingRequest {
  readonly request: ApprovalRequest
  readonly signal: AbortSignal
  readonly checks: ApprovalChecks
  readonly programs: Programs
}

/** What editing the arguments of a request needs. */
type Editing = Pick<PendingRequest, 'request' | 'signal' | 'programs'> & Pick<ApprovalChecks, 'check'>

/** The most rows of the arguments, and of the preview, that a prompt shows. */
const SHOWN = 60

function lookOf(): RequestLook {
  return { paint: paintError, limit: SHOWN, columns: columnsOf(process.stderr) }
}

/** The reply when the person leaves the prompt without an answer. */
export const UNANSWERED: Reply = { approved: false, reason: 'the prompt was closed without an answer' }

/** Shows a request and prompts until there is an answer. Ctrl-C counts as no. */
async function promptOnce(pending: PendingRequest): Promise<Reply> {
  const { request, signal } = pending
  if (signal.aborted) return { approved: false }
  process.stderr.write(`${requestLines(request, lookOf()).join('\n')}\n`)
  const choices = choicesOf(request)
  for (;;) {
    const answer = await askAfterPause({ text: `${paintError('bold', choices)} › `, signal })
    if (signal.aborted)
      process.stderr.write(
        `${paintError('dim', 'This request is closed: it was answered elsewhere, or its call has ended.')}\n`,
      )
    if (answer === undefined) return UNANSWERED
    const reply = await readReply(answer.trim().toLowerCase(), pending)
    if (reply !== undefined) return reply
  }
}

function choicesOf({ hasRun, canDryRun, grants }: ApprovalRequest): string {
  const changes = hasRun ? [] : ['[e]dit']
  const dryRun = canDryRun ? ['[d]ry run'] : []
  return ['[y]es', '[n]o', ...changes, ...dryRun, ...(grants.length > 0 ? ['[a]lways…'] : [])].join(' ')
}

async function readReply(word: string, pending: PendingRequest): Promise<Reply | undefined> {
  if (word === 'y' || word === 'yes') return { approved: true }
  if ((word === 'e' || word === 'edit') && !pending.request.hasRun)
    return askChanged({ ...pending, check: pending.checks.check })
  if ((word === 'd' || word === 'dry run') && pending.request.canDryRun) return showDryRun(pending)
  if ((word === 'a' || word === 'always') && pending.request.grants.length > 0) {
    const grant = await chooseGrant(pending.request, pending.signal)
    return grant && { approved: true, grant }
  }
  if (word !== 'n' && word !== 'no') {
    rejectAnswer(word, 'one of the letters in brackets, and Enter')
    return undefined
  }
  const reason = await askLine({ text: 'Reason (optional) › ', signal: pending.signal })
  return { approved: false, ...(reason?.trim() && { reason: reason.trim() }) }
}

/** Shows what the call would do. This answers nothing, so the prompt is shown again. */
async function showDryRun({ signal, checks }: PendingRequest): Promise<undefined> {
  process.stderr.write(`${paintError('dim', 'Dry run: nothing will be applied …')}\n`)
  const dryRun = await checks.dryRun(signal)
  if (!signal.aborted) process.stderr.write(`${dryRunLines(dryRun, lookOf()).join('\n')}\n`)
}

const AS_SENT = 'Edit the arguments as they were sent. The schema of the tool turns them into the values shown above.'

/** Resolves to a yes with the arguments that the person edited; undefined when they go back. */
export async function askChanged({ request, signal, check, programs }: Editing): Promise<Reply | undefined> {
  if (request.sent) process.stderr.write(`${paintError('dim', AS_SENT)}\n`)
  const edited = await editArguments({ arguments: request.sent ?? request.arguments, signal, check, programs })
  return edited && { approved: true, modifiedArgs: edited.value }
}
