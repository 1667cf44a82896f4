import type { Reply } from '../core/approval/approval.ts'
import type { AcceptedAnswer, ApprovalQueue, OpenRequest, RequestListener } from '../core/approval/approval-queue.ts'
import { type ApprovalAnswer, type ApprovalRecord, BY_PROGRAM } from '../core/approval/approval-record.ts'
import { type Failure, failure, failureOf, type Result } from '../core/call/result.ts'
import { HAS_RUN } from './approve/ask.ts'
import { checkChanged } from './approve/check-changed.ts'
import { type AnswerParts, giveAnswer, grantProblem, withoutSameArguments } from './approve/give-answer.ts'
import { callOfApproval } from './approve/make-request.ts'
import { checkCall } from './check-call.ts'
import { guardListener } from './guard-listener.ts'
import { refuseClosed } from './ordering/refuse-closed.ts'
import type { Parts, Request } from './request.ts'
import { beforeApproval } from './run-call.ts'

/** A host that has the workspace and the tool of a waiting call, so that the call can be checked and run there. */
export interface CallSite {
  readonly parts: Parts
  /** The request of the call. */
  readonly request: Request
  /** Runs the call after it was taken over. */
  resume(record: ApprovalRecord): Promise<Result>
}

/** What the queue needs. */
export interface QueueParts extends AnswerParts {
  /** Finds where the call of an approval request can run; undefined if this process does not have its workspace or tool. */
  find(record: ApprovalRecord): Promise<CallSite | undefined>
  isClosed(): boolean
  /** Aborts when the storage must no longer be used. */
  readonly over: AbortSignal
}

/** Makes the approval queue of a home. */
export function createApprovalQueue(parts: QueueParts): ApprovalQueue {
  const { storage, grants } = parts
  return {
    list: async () => (await storage.approvals.list()).map(openOf),
    async answer(id, reply, { by = BY_PROGRAM, digest } = {}) {
      if (parts.isClosed()) return refuseClosed(`${id} was not answered`)
      try {
        return await answerOne(id, { reply, by, digest }, parts)
      } catch (thrown) {
        return failureOf(thrown)
      }
    },
    wait: (id, signal) => waitFor(id, parts, signal),
    async check(id, changed) {
      if (parts.isClosed()) return refuseClosed('nothing was checked').text
      const record = await storage.approvals.get(id)
      if (!record) return 'the approval request is no longer open'
      return record.request.hasRun ? HAS_RUN : (await checkAt(record, changed, parts))?.text
    },
    async dryRun(id, signal) {
      if (parts.isClosed()) return refuseClosed('nothing was tried')
      try {
        return await dryRunOne(id, signal, parts)
      } catch (thrown) {
        return failureOf(thrown)
      }
    },
    on: (listener) => watch(parts, listener),
    grants() {
      grants.flush()
      return grants.list()
    },
    revoke: (id) => grants.revoke(id),
  }
}

function openOf({ request: asked, askedAt, expiresAt, answer }: ApprovalRecord): OpenRequest {
  return { request: asked, askedAt, expiresAt, answer }
}

interface Given {
  readonly reply: Reply
  readonly by: string
  readonly digest: string | undefined
}

async function answerOne(
  id: string,
  { reply: given, by, digest }: Given,
  parts: QueueParts,
): Promise<AcceptedAnswer | Failure> {
  const record = await parts.storage.approvals.get(id)
  if (!record) return gone(id, parts)
  const { request: asked } = record
  if (digest !== undefined && digest !== asked.digest)
    return failure('CONFLICT', `${id} asks about another call than the one that was shown. Nothing was answered.`)
  const reply = withoutSameArguments(record, given)
  if (record.answer) return takeUp(record, reply, parts)
  const problem = grantProblem(asked, reply) ?? (await problemOf(record, reply, parts))
  if (problem !== undefined) return failure('INVALID_ARGUMENTS', `${problem} ${id} still waits for an answer.`)
  const answer: ApprovalAnswer = { reply, by, at: Date.now() }
  const site = await parts.find(record)
  const stored = await giveAnswer(asked, answer, { ...parts, adopt: site !== undefined })
  if (!stored) return answeredAlready(id, parts)
  if (!site || !stored.isAdopted) return { ok: true, runs: 'asker' }
  return runHere({ ...record, answer }, site, parts)
}

/** Accepts changed arguments only if they match the schema. The rules judge them when the call continues. */
async function problemOf(record: ApprovalRecord, reply: Reply, parts: QueueParts): Promise<string | undefined> {
  if (!reply.approved || reply.modifiedArgs === undefined) return undefined
  if (record.request.hasRun) return HAS_RUN
  const problem = await checkAt(record, reply.modifiedArgs, parts)
  return problem?.code === 'INVALID_ARGUMENTS' ? problem.text : undefined
}

/** Returns what is wrong with changed arguments; undefined if they are valid or cannot be checked in this process. */
async function checkAt(record: ApprovalRecord, changed: unknown, parts: QueueParts): Promise<Failure | undefined> {
  const site = await parts.find(record)
  return (
    site && checkChanged(changed, { request: site.request, input: record.input, repeat: beforeApproval }, site.parts)
  )
}

/** Repeats the stages before the approval, then the dry run of the tool. */
async function dryRunOne(id: string, signal: AbortSignal, parts: QueueParts): Promise<Result> {
  const record = await parts.storage.approvals.get(id)
  if (!record) return gone(id, parts)
  if (record.request.hasRun) return failure('UNAVAILABLE', HAS_RUN)
  const site = await parts.find(record)
  if (!site) return failure('UNAVAILABLE', `The tool of ${id} cannot be opened here.`)
  site.request.stop.follow(signal)
  const report = await checkCall(site.request, site.parts, true)
  return report.dryRun ?? failure(report.code ?? 'UNAVAILABLE', report.text)
}

/** Runs an approved call whose process died before running it, when the call is approved again. */
async function takeUp(record: ApprovalRecord, reply: Reply, parts: QueueParts): Promise<AcceptedAnswer | Failure> {
  const { approval } = record.request
  const isAgain = reply.approved && reply.modifiedArgs === undefined && record.answer?.reply.approved === true
  const site = isAgain ? await parts.find(record) : undefined
  if (!site || !(await parts.storage.approvals.adopt(approval))) return answeredAlready(approval, parts)
  return runHere(record, site, parts)
}

/** Runs a call that this process has taken over. */
async function runHere(record: ApprovalRecord, site: CallSite, { storage }: QueueParts): Promise<AcceptedAnswer> {
  const current = await storage.approvals.get(record.request.approval)
  return { ok: true, runs: 'here', result: await site.resume(current ?? record) }
}

async function gone(id: string, { storage }: QueueParts): Promise<Failure> {
  const [call] = await storage.log.calls({ call: callOfApproval(id), limit: 1 })
  if (call) return failure('CONFLICT', `${id} was answered already, or its call has ended.`)
  return failure('FILE_NOT_FOUND', `There is no approval request ${id}. List them with: haft approvals`)
}

async function answeredAlready(id: string, { storage }: QueueParts): Promise<Failure> {
  const answer = (await storage.approvals.get(id))?.answer
  const how = answer ? `: ${answer.reply.approved ? 'yes' : 'no'}, by ${answer.by}` : ', or its time is over'
  return failure('CONFLICT', `${id} was answered already${how}.`)
}

/** Resolves to the answer of a request; to undefined if its call ended or the wait was given up. */
async function waitFor(id: string, { storage, over }: QueueParts, signal?: AbortSignal): Promise<Reply | undefined> {
  const ending = signal ? AbortSignal.any([signal, over]) : over
  if (ending.aborted) return undefined
  const after = await storage.log.end()
  const record = await storage.approvals.get(id)
  if (!record || record.answer) return record?.answer?.reply
  const { session, call } = record.request
  for await (const event of storage.log.follow({ session, after, signal: ending })) {
    if (event.type === 'approval-answer' && event.approval === id)
      return (await storage.approvals.get(id))?.answer?.reply ?? event.reply
    if (event.type === 'call-end' && event.call === call) return undefined
  }
  return undefined
}

/** Calls the listener for requests that appear and are answered, until it is stopped or the queue is closed. Errors of a listener affect nobody else. */
function watch(parts: QueueParts, listener: RequestListener): () => void {
  const stop = new AbortController()
  const asked = guardListener<OpenRequest>(
    (open) => listener.asked?.(open),
    () => 'an approval request',
  )
  const answered = guardListener<string>(
    (id) => listener.answered?.(id),
    () => 'an answer',
  )
  const signal = AbortSignal.any([stop.signal, parts.over])
  followRequests(parts, { asked, answered, signal }).catch(() => undefined)
  return () => stop.abort()
}

interface RequestFollower {
  asked(open: OpenRequest): void
  answered(id: string): void
  readonly signal: AbortSignal
}

async function followRequests({ storage }: QueueParts, { asked, answered, signal }: RequestFollower): Promise<void> {
  const { approvals, log } = storage
  /** The requests that the listener was called for, by call. */
  const open = new Map<string, string>()
  const tell = (record: ApprovalRecord) => {
    const { approval, call } = record.request
    if (record.answer || signal.aborted || open.get(call) === approval) return
    open.set(call, approval)
    asked(openOf(record))
  }
  const forget = (call: string) => {
    const approval = open.get(call)
    if (approval !== undefined && open.delete(call) && !signal.aborted) answered(approval)
  }
  const after = await log.end()
  for (const record of await approvals.list()) tell(record)
  for await (const event of log.follow({ after, signal, unref: true })) {
    if (event.type === 'approval-request') {
      const record = await approvals.get(event.approval)
      if (record) tell(record)
    } else if (event.type === 'approval-answer' || event.type === 'call-end') forget(event.call)
  }
}
