import { type ApprovalAnswer, BY_APPROVER, BY_EXPIRY, type KeptQuestion } from '../core/approval-record.ts'
import type { Approvals, Question, Reply, Trials } from '../core/approvals.ts'
import { messageOf } from '../core/result.ts'
import { type AnswerParts, giveAnswer, hearAnswer } from './give-answer.ts'

/** How often the store is asked whether another process has answered, in milliseconds. */
const LOOK = 100

/** Who may answer a question here, and what ends the wait. */
export interface Wait {
  /** Someone in this process; other doors may answer as well, and the first wins. */
  readonly person: Approvals | undefined
  readonly signal: AbortSignal
  readonly trials: Trials
  readonly parts: AnswerParts
}

/** Waits for the one answer to a kept question, from whichever door it comes. Holds nothing but a timer; never rejects. */
export function waitForAnswer(kept: KeptQuestion, { person, signal, trials, parts }: Wait): Promise<ApprovalAnswer> {
  const { approval } = kept.question
  const done = new AbortController()
  return new Promise((resolve) => {
    const finish = (answer: ApprovalAnswer) => {
      clearInterval(timer)
      signal.removeEventListener('abort', cancel)
      stopHearing()
      done.abort()
      resolve(answer)
    }
    const give = (reply: Reply, by: string) => {
      const answer = { reply, by, at: Date.now() }
      const given = tryGive(kept.question, answer, parts)
      finish(given ?? { ...answer, reply: { approved: false, reason: NOT_TAKEN } })
    }
    const look = () => {
      const answer = parts.store.approvalAnswer(approval)
      if (answer) finish(answer)
      else if (Date.now() >= kept.expiresAt) give({ approved: false, reason: NOBODY_ANSWERED }, BY_EXPIRY)
    }
    const cancel = () => give({ approved: false, reason: CANCELLED }, 'cancelled')
    const timer = setInterval(look, Math.min(LOOK, Math.max(1, kept.expiresAt - Date.now())))
    const stopHearing = hearAnswer(parts.desk, approval, look)
    signal.addEventListener('abort', cancel, { once: true })
    if (signal.aborted) return cancel()
    if (person)
      askPerson(person, kept.question, { signal: done.signal, trials }).then(
        (reply) => !done.signal.aborted && give(reply, person.name ?? BY_APPROVER),
      )
  })
}

/** What the reason is when nobody answered in time. */
export const NOBODY_ANSWERED = 'nobody answered'
const NOT_TAKEN = 'the answer could not be kept'
const CANCELLED = 'the call was cancelled while it waited for an answer'

/** The answer that counts: ours where it was the first, else the one that was; undefined where the store takes none. */
function tryGive(question: Question, answer: ApprovalAnswer, parts: AnswerParts): ApprovalAnswer | undefined {
  try {
    giveAnswer(question, answer, parts)
    const given = parts.store.approvalAnswer(question.approval)
    return given ?? { ...answer, reply: { approved: false, reason: NOBODY_ANSWERED }, by: BY_EXPIRY }
  } catch {
    return undefined
  }
}

async function askPerson(
  person: Approvals,
  question: Question,
  { signal, trials }: { signal: AbortSignal; trials: Trials },
): Promise<Reply> {
  try {
    return await person.ask(question, signal, trials)
  } catch (thrown) {
    return { approved: false, reason: `the question could not be asked: ${messageOf(thrown)}` }
  }
}
