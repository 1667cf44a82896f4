import type { ApprovalRequest, Trials } from '../../core/approval/approval.ts'
import { type ApprovalAnswer, BY_EXPIRY, BY_PROGRAM, type KeptRequest } from '../../core/approval/approval-record.ts'
import { type Failure, failure } from '../../core/call/result.ts'
import type { BeforeApproval, CallRun } from '../call-run.ts'
import { CallContext } from '../context/call-context.ts'
import type { Parts } from '../request.ts'
import { Stop } from '../stopping/stop.ts'
import { checkChanged } from './check-changed.ts'
import { dryRunCall } from './dry-run.ts'
import { waitForAnswer } from './wait-for-answer.ts'

/** Gets the answer to an approval request: the preset one, that of the approver here, or one from another interface. Logs request and answer; the answer is a no where there is nobody to ask. */
export async function ask(asked: ApprovalRequest, run: CallRun, repeat: BeforeApproval): Promise<ApprovalAnswer> {
  const { parts, request } = run
  const askedAt = Date.now()
  const expiresAt = askedAt + Math.ceil(parts.expireMinutes * 60_000)
  const kept = { request: asked, input: run.valid?.arguments, askedAt, expiresAt }
  const { decision, decidedBy = BY_PROGRAM, approver, wait } = request
  if (decision !== undefined) return answerAtOnce(kept, { reply: decision, by: decidedBy }, parts)
  if (approver === undefined && !wait) return answerAtOnce(kept, { reply: { approved: false }, by: NOBODY }, parts)
  return waitForPerson(kept, run, repeat)
}

const NOBODY = 'nobody'

function logRequest({ request: asked }: KeptRequest, { emit }: Parts): void {
  const { session, call, approval, tool, label, arguments: args, effects, rule, reason, preview, unusual } = asked
  const extras = { ...(label !== undefined && { label }), ...(preview && { preview }) }
  const shown = { tool, arguments: args, effects, rule, reason, unusual, ...extras }
  emit({ type: 'approval-request', session, call, approval, ...shown })
}

/** Logs an answer that is known beforehand as any other; nobody waits for it. */
function answerAtOnce(kept: KeptRequest, given: Omit<ApprovalAnswer, 'at'>, parts: Parts): ApprovalAnswer {
  const { session, call, approval } = kept.request
  logRequest(kept, parts)
  parts.emit({ type: 'approval-answer', session, call, approval, ...given })
  return { ...given, at: kept.askedAt }
}

async function waitForPerson(kept: KeptRequest, run: CallRun, repeat: BeforeApproval): Promise<ApprovalAnswer> {
  const { request, parts } = run
  const { approvals, log } = parts.storage
  const { approval, hasRun } = kept.request
  if (!hasRun) run.claim?.release()
  if (run.approval !== undefined) await approvals.settle(run.approval)
  const after = await log.end()
  // In one commit, so that whoever follows the log finds the request that the event names.
  logRequest(kept, parts)
  await approvals.ask(kept)
  run.approval = approval
  const trials = hasRun ? AFTER_THE_RUN : makeTrials(run, repeat)
  const { approver, stop } = request
  return waitForAnswer(kept, { approver, signal: stop.signal, trials, after, parts })
}

/** What an approver may try before answering: other arguments, and a dry run. */
function makeTrials({ request, parts, valid }: CallRun, repeat: BeforeApproval): Trials {
  return {
    check: async (changed) => (await checkChanged(changed, { request, input: valid?.arguments, repeat }, parts))?.text,
    async dryRun(signal) {
      if (valid === undefined) return failure('UNAVAILABLE', 'The call is not known any more.')
      const stop = new Stop()
      stop.follow(signal)
      try {
        return await dryRunCall(valid, new CallContext({ ...request, stop }, parts))
      } finally {
        stop.end()
      }
    },
  }
}

/** Why other arguments are not taken for a command that has run. */
export const HAS_RUN = 'the command has run already; its changes can be applied or discarded, and nothing else.'

const AFTER_THE_RUN: Trials = {
  check: async () => HAS_RUN,
  dryRun: async () => failure('UNAVAILABLE', HAS_RUN),
}

/** The end of a call that was answered with no. */
export function refused(request: ApprovalRequest, { reply, by }: ApprovalAnswer, isCancelled: boolean): Failure {
  const { tool, rule, reason: asked, hasRun } = request
  const nothing = hasRun ? 'None of its changes were applied.' : 'Nothing was run.'
  if (isCancelled) return failure('CANCELLED', `${tool} was cancelled while it waited for an answer. ${nothing}`)
  const nobody = by === NOBODY ? 'there is nobody to ask here' : by === BY_EXPIRY ? 'nobody answered' : undefined
  if (nobody !== undefined) {
    const needs = hasRun ? 'has run and needs' : 'needs'
    const text = `${tool} ${needs} a person's approval (${asked}; rule ${rule}), and ${nobody}. ${nothing}`
    return failure('DENIED', text, { details: { rule, reason: nobody } })
  }
  const reason = reply.approved ? undefined : reply.reason
  const fate = hasRun ? `${tool} has run; ${asked}. ${nothing}` : `${tool} was not run.`
  return failure('DENIED', `Denied by user${reason ? `: ${reason}` : ''}. ${fate}`, {
    details: { rule, ...(reason && { reason }) },
  })
}
