import type { ApprovalDesk, OpenQuestion, QuestionListener, Taken } from '../core/approval-desk.ts'
import { type ApprovalRecord, BY_PROGRAM } from '../core/approval-record.ts'
import type { Reply } from '../core/approvals.ts'
import { type Failure, failure, failureOf, type Result } from '../core/result.ts'
import { HAS_RUN } from './approve.ts'
import { type AskedCall, checkChanged } from './check-changed.ts'
import { giveAnswer, grantProblem, hearAnswer } from './give-answer.ts'
import { guardListener } from './guard-listener.ts'
import { callOfQuestion } from './make-question.ts'
import { refuseClosed } from './refuse-closed.ts'
import type { Parts, Request } from './request.ts'
import type { RunningCalls } from './running-calls.ts'

/** How often the store is looked at for what other processes do, in milliseconds. */
const LOOK = 100

/** What the desk needs of the host. */
export interface DeskParts extends Parts {
  /** A request in the name of a call that another process began. */
  requestOf(record: ApprovalRecord): Request
  /** Runs a call that was adopted. */
  resume(record: ApprovalRecord, request: Request): Promise<Result>
  /** Says whether the host takes answers, and until when its store may be asked. */
  readonly running: Pick<RunningCalls, 'isClosed' | 'over'>
}

/** Makes the desk that faces answer questions at. */
export function createApprovalDesk(parts: DeskParts): ApprovalDesk {
  const { store, desk } = parts
  return {
    list: () => store.approvals().map(openOf),
    async answer(id, reply, { by = BY_PROGRAM, digest } = {}) {
      if (parts.running.isClosed) return refuseClosed(`${id} was not answered`)
      try {
        return await answerOne(id, { reply, by, digest }, parts)
      } catch (thrown) {
        return failureOf(thrown)
      }
    },
    wait: (id, signal) => waitFor(id, parts, signal),
    async check(id, changed) {
      if (parts.running.isClosed) return refuseClosed('nothing was checked').text
      const record = store.approval(id)
      if (record?.question.hasRun) return HAS_RUN
      return record ? (await checkChanged(changed, askedCall(record, parts), parts))?.text : 'nothing is asked any more'
    },
    on: (listener) => watch(parts, listener),
    grants: () => desk.grants.list(),
    revoke: (id) => desk.grants.revoke(id),
  }
}

function openOf({ question, askedAt, expiresAt, answer }: ApprovalRecord): OpenQuestion {
  return { question, askedAt, expiresAt, answer }
}

interface Given {
  readonly reply: Reply
  readonly by: string
  readonly digest: string | undefined
}

async function answerOne(id: string, { reply, by, digest }: Given, parts: DeskParts): Promise<Taken | Failure> {
  const record = parts.store.approval(id)
  if (!record) return gone(id, parts)
  const { question, answer } = record
  if (digest !== undefined && digest !== question.digest)
    return failure('CONFLICT', `${id} asks about another call than the one that was shown. Nothing was answered.`)
  if (answer) return takeUp(record, reply, parts)
  const problem = grantProblem(question, reply) ?? (await problemOf(record, reply, parts))
  if (problem !== undefined) return failure('INVALID_ARGUMENTS', `${problem} ${id} still waits for an answer.`)
  if (!giveAnswer(question, { reply, by, at: Date.now() }, parts)) return answeredAlready(id, parts)
  return runHere({ ...record, answer: { reply, by, at: Date.now() } }, parts)
}

/** Changed arguments are taken only when they fit the schema; what rules say of them is said when they walk. */
async function problemOf(record: ApprovalRecord, reply: Reply, parts: DeskParts): Promise<string | undefined> {
  if (!reply.approved || reply.modifiedArgs === undefined) return undefined
  if (record.question.hasRun) return HAS_RUN
  if (!isHere(record, parts)) return undefined
  const problem = await checkChanged(reply.modifiedArgs, askedCall(record, parts), parts)
  return problem?.code === 'INVALID_ARGUMENTS' ? problem.text : undefined
}

function askedCall(record: ApprovalRecord, parts: DeskParts): AskedCall {
  return { request: parts.requestOf(record), input: record.input }
}

/** A yes that somebody gave and nobody lived to run is carried out by whoever says yes again. */
async function takeUp(record: ApprovalRecord, reply: Reply, parts: DeskParts): Promise<Taken | Failure> {
  const { approval } = record.question
  const isAgain = reply.approved && reply.modifiedArgs === undefined && record.answer?.reply.approved === true
  const taken = isAgain ? await runHere(record, parts) : undefined
  return taken?.runs === 'here' ? taken : answeredAlready(approval, parts)
}

/** Runs the call where its asker is gone and it belongs to this workspace and these tools. */
async function runHere(record: ApprovalRecord, parts: DeskParts): Promise<Taken> {
  const { approval } = record.question
  if (!isHere(record, parts) || !parts.store.adoptApproval(approval)) return { ok: true, runs: 'asker' }
  const kept = parts.store.approval(approval) ?? record
  return { ok: true, runs: 'here', result: await parts.resume(kept, parts.requestOf(record)) }
}

function isHere(record: ApprovalRecord, parts: DeskParts): boolean {
  const { workspace, tool } = record.question
  return workspace === parts.workspace && parts.requestOf(record).snapshot.find(tool) !== undefined
}

function gone(id: string, { store }: DeskParts): Failure {
  const [call] = store.calls({ call: callOfQuestion(id), limit: 1 })
  if (call) return failure('CONFLICT', `${id} was answered already, or its call has ended.`)
  return failure('FILE_NOT_FOUND', `There is no question ${id}.`)
}

function answeredAlready(id: string, { store }: DeskParts): Failure {
  const answer = store.approvalAnswer(id)
  const how = answer ? `: ${answer.reply.approved ? 'yes' : 'no'}, by ${answer.by}` : ', or its time is over'
  return failure('CONFLICT', `${id} was answered already${how}.`)
}

function waitFor(id: string, { store, desk, running }: DeskParts, signal?: AbortSignal): Promise<Reply | undefined> {
  const ending = signal ? AbortSignal.any([signal, running.over]) : running.over
  return new Promise((resolve) => {
    const finish = (reply: Reply | undefined) => {
      clearInterval(timer)
      stopHearing()
      ending.removeEventListener('abort', giveUp)
      resolve(reply)
    }
    const giveUp = () => finish(undefined)
    const look = () => {
      const answer = store.approvalAnswer(id)
      if (answer !== null) finish(answer?.reply)
    }
    const timer = setInterval(look, LOOK)
    const stopHearing = hearAnswer(desk, id, look)
    ending.addEventListener('abort', giveUp, { once: true })
    if (ending.aborted) giveUp()
    else look()
  })
}

/** Looks at the store again and again until it is told to stop or the host is closed. What a listener throws harms nobody. */
function watch({ store, running: { over } }: DeskParts, listener: QuestionListener): () => void {
  let known = new Set<string>()
  const asked = guardListener<OpenQuestion>(
    (open) => listener.asked?.(open),
    () => 'a question',
  )
  const answered = guardListener<string>(
    (id) => listener.answered?.(id),
    () => 'an answer',
  )
  const look = () => {
    const before = known
    known = new Set(store.openApprovals())
    for (const id of known) {
      const record = before.has(id) ? undefined : store.approval(id)
      if (record) asked(openOf(record))
    }
    for (const id of before) if (!known.has(id)) answered(id)
  }
  if (over.aborted) return () => undefined
  const timer = setInterval(look, LOOK).unref()
  const stop = () => {
    clearInterval(timer)
    over.removeEventListener('abort', stop)
  }
  over.addEventListener('abort', stop)
  look()
  return stop
}
