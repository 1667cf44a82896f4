import type { ApprovalChecks, ApprovalRequest, Approver, Reply } from '../../core/approval/approval.ts'
import { type ApprovalAnswer, BY_APPROVER, BY_EXPIRY, type KeptRequest } from '../../core/approval/approval-record.ts'
import { messageOf } from '../../core/call/result.ts'
import type { Event } from '../../core/session/event.ts'
import { type AnswerParts, giveAnswer, withoutSameArguments } from './give-answer.ts'

/** Who may answer a request here, and what ends the wait. */
export interface Wait {
  /** The approver in this process. Other interfaces may answer too; the first answer counts. */
  readonly approver: Approver | undefined
  readonly signal: AbortSignal
  readonly checks: ApprovalChecks
  /** The cursor of the log before the request was stored. The answer comes after it. */
  readonly after: number
  readonly parts: AnswerParts & { notify(event: Event): void }
}

/** Waits for the answer to a stored request, from any process. Holds no resources but a reader of the log. Never rejects. */
export async function waitForAnswer(kept: KeptRequest, wait: Wait): Promise<ApprovalAnswer> {
  const { approver, signal, checks } = wait
  const parts = { ...wait.parts, notify: onlyOnce(wait.parts.notify) }
  const done = new AbortController()
  const { promise, resolve } = Promise.withResolvers<ApprovalAnswer>()
  const give = async (reply: Reply, by: string): Promise<void> => {
    if (!done.signal.aborted) resolve(await settle({ reply, by, at: Date.now() }, kept, parts))
  }
  const cancel = () => void give({ approved: false, reason: CANCELLED }, 'cancelled')
  const expire = () => void give({ approved: false, reason: NOBODY_ANSWERED }, BY_EXPIRY)
  const timer = setExpiry(kept.expiresAt, expire)
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  else {
    followAnswer(kept, { ...wait, parts, signal: done.signal }).then((answer) => answer && resolve(answer))
    if (approver)
      askApprover(approver, kept.request, { signal: done.signal, checks }).then((reply) =>
        give(reply, approver.name ?? BY_APPROVER),
      )
  }
  const answer = await promise
  done.abort()
  timer.clear()
  signal.removeEventListener('abort', cancel)
  return answer
}

/** The reason given when nobody answered in time. */
export const NOBODY_ANSWERED = 'nobody answered'
const NOT_TAKEN = 'the answer could not be stored'
const CANCELLED = 'the call was cancelled while it waited for an answer'

/** Passes on the first event only, because the same answer can arrive in two ways. */
function onlyOnce(notify: (event: Event) => void): (event: Event) => void {
  let isDone = false
  return (event) => {
    if (!isDone) notify(event)
    isDone = true
  }
}

/** The longest delay of a timer, in milliseconds. */
const LONGEST = 2 ** 31 - 1

/** Sets a timer for a time that may be later than the longest delay. */
function setExpiry(at: number, expire: () => void): { clear(): void } {
  let timer: NodeJS.Timeout
  const set = () => {
    const left = at - Date.now()
    timer = left > LONGEST ? setTimeout(set, LONGEST) : setTimeout(expire, Math.max(0, left))
  }
  set()
  return { clear: () => clearTimeout(timer) }
}

/** Resolves to an answer from another process or interface, or to undefined when the wait has ended. */
async function followAnswer(kept: KeptRequest, { after, signal, parts }: Wait): Promise<ApprovalAnswer | undefined> {
  const { session, approval } = kept.request
  try {
    for await (const event of parts.storage.log.follow({ session, after, signal })) {
      if (event.type !== 'approval-answer' || event.approval !== approval) continue
      if (signal.aborted) return undefined
      parts.notify(event)
      // Secrets in changed arguments are masked in the event, but not in the stored answer.
      const record = await parts.storage.approvals.get(approval)
      return record?.answer ?? undefined
    }
  } catch {
    // If the log cannot be read, the approver here and the expiry still give an answer.
  }
  return undefined
}

/** Stores an answer and returns the one that counts: this one if it was the first, else the earlier one. */
async function settle(answer: ApprovalAnswer, kept: KeptRequest, parts: Wait['parts']): Promise<ApprovalAnswer> {
  try {
    const reply = withoutSameArguments(kept, answer.reply)
    const stored = await giveAnswer(kept.request, { ...answer, reply }, parts)
    if (stored) parts.notify(stored.event)
    const record = await parts.storage.approvals.get(kept.request.approval)
    return record?.answer ?? { ...answer, reply: { approved: false, reason: NOBODY_ANSWERED }, by: BY_EXPIRY }
  } catch {
    return { ...answer, reply: { approved: false, reason: NOT_TAKEN } }
  }
}

async function askApprover(
  approver: Approver,
  asked: ApprovalRequest,
  { signal, checks }: { signal: AbortSignal; checks: ApprovalChecks },
): Promise<Reply> {
  try {
    return await approver.ask(asked, signal, checks)
  } catch (thrown) {
    return { approved: false, reason: `the approver failed: ${messageOf(thrown)}` }
  }
}
