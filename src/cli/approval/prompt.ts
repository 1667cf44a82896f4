import type { Approver, Question, Reply, Trials } from '../../core/approval/approval.ts'
import { askLine, dropTypedAhead, hasPerson } from '../terminal/ask-line.ts'
import { columnsOf, paintError } from '../terminal/front-end.ts'
import { chooseGrant } from './choose-grant.ts'
import { editArguments } from './edit-arguments.ts'
import { type QuestionLook, questionLines, rehearsalLines } from './request-lines.ts'

/** Asks in this terminal, on stderr so that stdout stays what it is; undefined where no person sits there. One question at a time. */
export function terminalPrompt(): Approver | undefined {
  if (!hasPerson()) return undefined
  let last: Promise<unknown> = Promise.resolve()
  return {
    ask(question, signal, trials) {
      const turn = last.then(() => promptOnce({ question, signal, trials }))
      last = turn.catch(() => undefined)
      return turn
    },
  }
}

/** Asks a plain yes or no in this terminal; no where nobody sits there. */
export async function askYes(text: string): Promise<boolean> {
  if (!hasPerson()) return false
  const { signal } = new AbortController()
  if (!(await dropTypedAhead(signal))) return false
  const answer = await askLine({ text: `${text} ${paintError('bold', '[y]es [n]o')} › `, signal })
  return /^y(es)?$/i.test(answer?.trim() ?? '')
}

/** One question and those who listen to its answer. */
export interface Talk {
  readonly question: Question
  readonly signal: AbortSignal
  readonly trials: Trials
}

/** The part of it that changing the arguments needs. */
export type Editing = Pick<Talk, 'question' | 'signal'> & Pick<Trials, 'check'>

/** How much of the arguments and of the preview a prompt shows, in rows. */
const SHOWN = 60

function lookOf(): QuestionLook {
  return { paint: paintError, limit: SHOWN, columns: columnsOf(process.stderr) }
}

/** The reply of a person who left the question. */
const LEFT: Reply = { approved: false, reason: 'the question was left unanswered' }

/** Shows a question and asks until there is an answer. Ctrl-C is a no. */
async function promptOnce(talk: Talk): Promise<Reply> {
  const { question, signal } = talk
  if (signal.aborted) return { approved: false }
  process.stderr.write(`${questionLines(question, lookOf()).join('\n')}\n`)
  const choices = choicesOf(question)
  if (!(await dropTypedAhead(signal))) return LEFT
  for (;;) {
    const answer = await askLine({ text: `${paintError('bold', choices)} › `, signal })
    if (signal.aborted)
      process.stderr.write(
        `${paintError('dim', 'the question is closed: it was answered elsewhere or its call has ended')}\n`,
      )
    if (answer === undefined) return LEFT
    const reply = await understand(answer.trim().toLowerCase(), talk)
    if (reply !== undefined) return reply
  }
}

function choicesOf({ hasRun, canRehearse, grants }: Question): string {
  const changes = hasRun ? [] : ['[e]dit']
  const rehearsal = canRehearse ? ['[d]ry run'] : []
  return ['[y]es', '[n]o', ...changes, ...rehearsal, ...(grants.length > 0 ? ['[a]lways…'] : [])].join(' ')
}

async function understand(word: string, talk: Talk): Promise<Reply | undefined> {
  if (word === 'y' || word === 'yes') return { approved: true }
  if ((word === 'e' || word === 'edit') && !talk.question.hasRun)
    return askChanged({ ...talk, check: talk.trials.check })
  if ((word === 'd' || word === 'dry run') && talk.question.canRehearse) return showTrial(talk)
  if (word === 'a' || word === 'always') {
    const grant = await chooseGrant(talk.question, talk.signal)
    return grant && { approved: true, grant }
  }
  if (word !== 'n' && word !== 'no') return undefined
  const reason = await askLine({ text: 'Why not? (optional) › ', signal: talk.signal })
  return { approved: false, ...(reason?.trim() && { reason: reason.trim() }) }
}

/** Shows what the call would do; that is no answer, so the question is asked again. */
async function showTrial({ signal, trials }: Talk): Promise<undefined> {
  process.stderr.write(`${paintError('dim', 'trying it where nothing is applied …')}\n`)
  const rehearsal = await trials.rehearse(signal)
  if (!signal.aborted) process.stderr.write(`${rehearsalLines(rehearsal, lookOf()).join('\n')}\n`)
}

const AS_SENT = 'These are the arguments as they were sent; the schema of the tool turns them into what is shown above.'

/** A yes to what the person puts in place of the arguments; undefined when they go back. */
export async function askChanged({ question, signal, check }: Editing): Promise<Reply | undefined> {
  if (question.sent) process.stderr.write(`${paintError('dim', AS_SENT)}\n`)
  const edited = await editArguments({ arguments: question.sent ?? question.arguments, signal, check })
  return edited && { approved: true, modifiedArgs: edited.value }
}
