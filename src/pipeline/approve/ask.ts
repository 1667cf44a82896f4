import type { ApprovalChecks, ApprovalRequest } from '../../core/approval/approval.ts'
import { type ApprovalAnswer, BY_EXPIRY, BY_PROGRAM, type KeptRequest } from '../../core/approval/approval-record.ts'
import { type Failure, failure } from '../../core/call/result.ts'
import type { BeforeApproval, CallRun } from '../call-run.ts'
import { CallContext } from '../context/call-context.ts'
import type { Parts } from '../request.ts'
import { Stop } from '../stopping/stop.ts'
import { checkChanged } from './check-changed.ts'
import { dryRunCall } from './dry-run.ts'
import { withoutSameArguments } from './give-answer.ts'
import { waitForAnswer } from './wait-for-answer.ts'

/** Gets the answer to an approval request: a preset one, one of the approver in this process, or one from another interface. Logs request and answer. If there is nobody to ask, the call is denied. */
export async function ask(asked: ApprovalRequest, run: CallRun, repeat: BeforeApproval): Promise<ApprovalAnswer> {
  const { parts, request } = run
  const askedAt = Date.now()
  const expiresAt = askedAt + Math.ceil(parts.expireMinutes * 60_000)
  const kept = { request: asked, input: run.valid?.arguments, askedAt, expiresAt }
  const { decision, decidedBy = BY_PROGRAM, approver, wait } = request
  if (decision !== undefined)
    return answerAtOnce(kept, { reply: withoutSameArguments(kept, decision), by: decidedBy }, parts)
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

/** Logs a request and its preset answer, without waiting. */
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
  // In one commit, so that a reader of the log finds the stored request that the event names.
  logRequest(kept, parts)
  await approvals.ask(kept)
  run.approval = approval
  const checks = hasRun ? AFTER_THE_RUN : makeChecks(run, repeat)
  const { approver, stop } = request
  return waitForAnswer(kept, { approver, signal: stop.signal, checks, after, parts })
}

/** Makes the checks that an approver can use before answering: of edited arguments, and a dry run. */
function makeChecks({ request, parts, valid }: CallRun, repeat: BeforeApproval): ApprovalChecks {
  return {
    check: async (changed) => (await checkChanged(changed, { request, input: valid?.arguments, repeat }, parts))?.text,
    async dryRun(signal) {
      if (valid === undefined) return failure('UNAVAILABLE', 'The call is no longer known.')
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

/** Why the arguments of a command that has run cannot be changed. */
export const HAS_RUN = 'the command has already run; its changes can only be applied or discarded.'

const AFTER_THE_RUN: ApprovalChecks = {
  check: async () => HAS_RUN,
  dryRun: async () => failure('UNAVAILABLE', HAS_RUN),
}

/** Returns the failure of a call that was not approved. */
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
