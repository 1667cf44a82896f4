import type { ApprovalRequest, Approver, Reply, Trials } from '../../core/approval/approval.ts'
import { type ApprovalAnswer, BY_APPROVER, BY_EXPIRY, type KeptRequest } from '../../core/approval/approval-record.ts'
import { messageOf } from '../../core/call/result.ts'
import type { Event } from '../../core/session/event.ts'
import { type AnswerParts, giveAnswer } from './give-answer.ts'

/** Who may answer a request here, and what ends the wait. */
export interface Wait {
  /** Someone in this process; other interfaces may answer as well, and the first wins. */
  readonly approver: Approver | undefined
  readonly signal: AbortSignal
  readonly trials: Trials
  /** The cursor before the request was kept: its answer comes after it. */
  readonly after: number
  readonly parts: AnswerParts & { notify(event: Event): void }
}

/** Waits for the one answer to a kept request, whoever gives it in whatever process. Holds nothing but a place in the log; never rejects. */
export async function waitForAnswer(kept: KeptRequest, wait: Wait): Promise<ApprovalAnswer> {
  const { approver, signal, trials } = wait
  const parts = { ...wait.parts, notify: onlyOnce(wait.parts.notify) }
  const done = new AbortController()
  const { promise, resolve } = Promise.withResolvers<ApprovalAnswer>()
  const give = async (reply: Reply, by: string): Promise<void> => {
    if (!done.signal.aborted) resolve(await settle({ reply, by, at: Date.now() }, kept.request, parts))
  }
  const cancel = () => void give({ approved: false, reason: CANCELLED }, 'cancelled')
  const expire = () => void give({ approved: false, reason: NOBODY_ANSWERED }, BY_EXPIRY)
  const timer = setExpiry(kept.expiresAt, expire)
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  else {
    hearAnswer(kept, { ...wait, parts, signal: done.signal }).then((answer) => answer && resolve(answer))
    if (approver)
      askApprover(approver, kept.request, { signal: done.signal, trials }).then((reply) =>
        give(reply, approver.name ?? BY_APPROVER),
      )
  }
  const answer = await promise
  done.abort()
  timer.clear()
  signal.removeEventListener('abort', cancel)
  return answer
}

/** What the reason is when nobody answered in time. */
export const NOBODY_ANSWERED = 'nobody answered'
const NOT_TAKEN = 'the answer could not be kept'
const CANCELLED = 'the call was cancelled while it waited for an answer'

/** The answer may be heard of in two ways, and is told once. */
function onlyOnce(notify: (event: Event) => void): (event: Event) => void {
  let isDone = false
  return (event) => {
    if (!isDone) notify(event)
    isDone = true
  }
}

/** The longest time a timer can be set to. */
const LONGEST = 2 ** 31 - 1

/** A timer for a moment that may be further away than timers reach. */
function setExpiry(at: number, expire: () => void): { clear(): void } {
  let timer: NodeJS.Timeout
  const set = () => {
    const left = at - Date.now()
    timer = left > LONGEST ? setTimeout(set, LONGEST) : setTimeout(expire, Math.max(0, left))
  }
  set()
  return { clear: () => clearTimeout(timer) }
}

/** Resolves to an answer that another process or interface gave; undefined when the wait has ended. */
async function hearAnswer(kept: KeptRequest, { after, signal, parts }: Wait): Promise<ApprovalAnswer | undefined> {
  const { session, approval } = kept.request
  try {
    for await (const event of parts.storage.log.follow({ session, after, signal })) {
      if (event.type !== 'approval-answer' || event.approval !== approval) continue
      if (signal.aborted) return undefined
      parts.notify(event)
      // The event has the secrets of changed arguments masked, the row has not.
      const record = await parts.storage.approvals.get(approval)
      return record?.answer ?? undefined
    }
  } catch {
    // A log that cannot be read gives no answer; the approver here and the expiry still do.
  }
  return undefined
}

/** The answer that counts: ours where it was the first, else the one that was. */
async function settle(answer: ApprovalAnswer, asked: ApprovalRequest, parts: Wait['parts']): Promise<ApprovalAnswer> {
  try {
    const event = await giveAnswer(asked, answer, parts)
    if (event) parts.notify(event)
    const record = await parts.storage.approvals.get(asked.approval)
    return record?.answer ?? { ...answer, reply: { approved: false, reason: NOBODY_ANSWERED }, by: BY_EXPIRY }
  } catch {
    return { ...answer, reply: { approved: false, reason: NOT_TAKEN } }
  }
}

async function askApprover(
  approver: Approver,
  asked: ApprovalRequest,
  { signal, trials }: { signal: AbortSignal; trials: Trials },
): Promise<Reply> {
  try {
    return await approver.ask(asked, signal, trials)
  } catch (thrown) {
    return { approved: false, reason: `the question could not be asked: ${messageOf(thrown)}` }
  }
}
