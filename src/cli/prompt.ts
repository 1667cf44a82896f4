import type { Approvals, CheckArguments, Question, Reply } from '../core/approvals.ts'
import { askLine, hasPerson } from './ask-line.ts'
import { chooseGrant } from './choose-grant.ts'
import { editArguments } from './edit-arguments.ts'
import { paintError } from './face.ts'
import { questionLines } from './question-lines.ts'

/** Asks in this terminal, on stderr so that stdout stays what it is; undefined where no person sits there. One question at a time. */
export function terminalPrompt(): Approvals | undefined {
  if (!hasPerson()) return undefined
  let last: Promise<unknown> = Promise.resolve()
  return {
    ask(question, signal, check) {
      const turn = last.then(() => promptOnce({ question, signal, check }))
      last = turn.catch(() => undefined)
      return turn
    },
  }
}

/** Asks a plain yes or no in this terminal; no where nobody sits there. */
export async function askYes(text: string): Promise<boolean> {
  if (!hasPerson()) return false
  const { signal } = new AbortController()
  const answer = await askLine({ text: `${text} ${paintError('bold', '[y]es [n]o')} › `, signal })
  return /^y(es)?$/i.test(answer?.trim() ?? '')
}

/** One question and those who listen to its answer. */
export interface Talk {
  readonly question: Question
  readonly signal: AbortSignal
  readonly check: CheckArguments
}

/** How much of the arguments and of the preview a prompt shows, in lines. */
const SHOWN = 60

/** Shows a question and asks until there is an answer. Ctrl-C is a no. */
async function promptOnce(talk: Talk): Promise<Reply> {
  const { question, signal } = talk
  if (signal.aborted) return { approved: false }
  process.stderr.write(
    `${questionLines(question, { paint: paintError, limit: SHOWN, columns: process.stderr.columns }).join('\n')}\n`,
  )
  const choices = choicesOf(question)
  for (;;) {
    const answer = await askLine({ text: `${paintError('bold', choices)} › `, signal })
    if (signal.aborted)
      process.stderr.write(
        `\n${paintError('dim', 'the question is closed: it was answered elsewhere or its call has ended')}\n`,
      )
    if (answer === undefined) return { approved: false, reason: 'the question was left unanswered' }
    const reply = await understand(answer.trim().toLowerCase(), talk)
    if (reply !== undefined) return reply
  }
}

function choicesOf({ hasRun, grants }: Question): string {
  return ['[y]es', '[n]o', ...(hasRun ? [] : ['[e]dit']), ...(grants.length > 0 ? ['[a]lways…'] : [])].join(' ')
}

async function understand(word: string, talk: Talk): Promise<Reply | undefined> {
  if (word === 'y' || word === 'yes') return { approved: true }
  if ((word === 'e' || word === 'edit') && !talk.question.hasRun) return askChanged(talk)
  if (word === 'a' || word === 'always') {
    const grant = await chooseGrant(talk.question, talk.signal)
    return grant && { approved: true, grant }
  }
  if (word !== 'n' && word !== 'no') return undefined
  const reason = await askLine({ text: 'Why not? (optional) › ', signal: talk.signal })
  return { approved: false, ...(reason?.trim() && { reason: reason.trim() }) }
}

/** A yes to what the person puts in place of the arguments; undefined when they go back. */
export async function askChanged({ question, signal, check }: Talk): Promise<Reply | undefined> {
  const edited = await editArguments({ arguments: question.arguments, signal, check })
  return edited && { approved: true, modifiedArgs: edited.value }
}
