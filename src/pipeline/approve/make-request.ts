import type { ApprovalRequest } from '../../core/approval/approval.ts'
import type { ClearedCall, PreparedCall, ValidCall } from '../../core/call/call.ts'
import type { ReviewedChange } from '../../core/ports/sandbox.ts'
import { maskApproval } from '../../core/secrets/mask-approval.ts'
import { DEFAULT_MODE } from '../../core/session/mode.ts'
import type { CallRun } from '../call-run.ts'
import { digestChange, digestPrepared } from './call-digest.ts'
import { canDryRun } from './dry-run.ts'
import { findUnusual } from './find-unusual.ts'
import { summariseCall, summariseChange } from './summarise-call.ts'

/** Makes the approval request of a call. Secrets are masked, and the digest binds it to exactly this call. Grants are offered only if somebody will see the request. */
export async function makeApprovalRequest(
  prepared: PreparedCall,
  { judged, parts, request: { label } }: CallRun,
  offersGrants: boolean,
): Promise<ApprovalRequest> {
  const { call, rule, reason, preview } = prepared
  const { workspace, masker } = parts
  if (judged === undefined) throw new Error('a call must be judged before its approval request is made')
  const { reading, verdict } = judged
  const askedBy = verdict.trace.filter(({ decision }) => decision === 'ask').map((opinion) => opinion.rule)
  const asked: ApprovalRequest = {
    approval: `a_${call.id}`,
    call: call.id,
    session: call.session,
    tool: call.entry.tool.name,
    workspace,
    ...(label !== undefined && { label }),
    mode: call.mode ?? DEFAULT_MODE,
    arguments: call.shown,
    ...sentOf(call),
    summary: summariseCall(prepared, judged, workspace),
    effects: reading.words,
    rule,
    reason,
    ...(preview && { preview }),
    unusual: findUnusual(prepared, reading, workspace),
    trace: verdict.trace,
    askedBy: [...new Set(askedBy)],
    ...(canDryRun(call.entry) && { canDryRun: true }),
    grants: offersGrants ? await parts.judge.offer(call, reading) : [],
    digest: digestPrepared(prepared, workspace),
  }
  return maskApproval(asked, masker)
}

/** Returns the sent arguments if the tool gets another input. */
function sentOf({ arguments: sent, input }: ValidCall): Pick<ApprovalRequest, 'sent'> {
  return input === sent ? {} : { sent }
}

/** The most files that are listed beside the diff. */
const NAMED = 50

/** Makes the approval request about what a command that has run really changed. It offers no grants. */
export function makeChangeRequest(
  cleared: ClearedCall,
  change: ReviewedChange,
  { parts: { workspace, masker }, request: { label } }: Pick<CallRun, 'parts' | 'request'>,
): ApprovalRequest {
  const { added, changed, deleted } = change.files
  const words = [
    ...added.map((path) => `adds ${path}`),
    ...changed.map((path) => `changes ${path}`),
    ...deleted.map((path) => `deletes ${path}`),
  ]
  const left = words.length - NAMED
  const digest = digestChange(cleared, change, workspace)
  const asked: ApprovalRequest = {
    approval: `a_${cleared.id}.${digest.slice(0, 6)}`,
    call: cleared.id,
    session: cleared.session,
    tool: cleared.entry.tool.name,
    workspace,
    ...(label !== undefined && { label }),
    mode: cleared.mode ?? DEFAULT_MODE,
    arguments: cleared.shown,
    summary: summariseChange(change),
    effects: [...words.slice(0, NAMED), ...(left > 0 ? [`and ${left} more`] : [])],
    rule: change.rule,
    reason: change.reason,
    preview: { kind: 'diff', text: change.diff },
    unusual: ['it has run; yes applies all of its changes, no applies none'],
    hasRun: true,
    askedBy: [change.rule],
    grants: [],
    digest,
  }
  return maskApproval(asked, masker)
}

/** Returns the call id of an approval request, of either kind. */
export function callOfApproval(approval: string): string {
  return approval.replace(/^a_/, '').replace(/\.\w+$/, '')
}
