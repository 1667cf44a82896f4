import type { ApprovalRequest } from '../../core/approval/approval.ts'
import type { ClearedCall, PreparedCall, ValidCall } from '../../core/call/call.ts'
import type { ReviewedChange } from '../../core/ports/sandbox.ts'
import { maskApproval } from '../../core/secrets/mask-approval.ts'
import type { CallRun } from '../call-run.ts'
import type { Parts } from '../request.ts'
import { digestChange, digestPrepared } from './call-digest.ts'
import { canDryRun } from './dry-run.ts'
import { findUnusual } from './find-unusual.ts'

/** What a person is asked about a call: its secrets masked, bound to what would run by its digest. Offers grants only where somebody will look. */
export async function makeApprovalRequest(
  prepared: PreparedCall,
  { judged, parts }: CallRun,
  offersGrants: boolean,
): Promise<ApprovalRequest> {
  const { call, rule, reason, preview } = prepared
  const { workspace, secrets } = parts
  if (judged === undefined) throw new Error('a call is judged before anybody is asked')
  const { reading, verdict } = judged
  const askedBy = verdict.trace.filter(({ decision }) => decision === 'ask').map((opinion) => opinion.rule)
  const asked: ApprovalRequest = {
    approval: `a_${call.id}`,
    call: call.id,
    session: call.session,
    tool: call.entry.tool.name,
    workspace,
    arguments: call.shown,
    ...sentOf(call),
    effects: reading.words,
    rule,
    reason,
    ...(preview && { preview }),
    unusual: findUnusual(prepared, reading, workspace),
    askedBy: [...new Set(askedBy)],
    ...(canDryRun(call.entry) && { canDryRun: true }),
    grants: offersGrants ? await parts.judge.offer(call, reading) : [],
    digest: digestPrepared(prepared, workspace),
  }
  return maskApproval(asked, secrets)
}

/** What was sent, where the tool gets something else. */
function sentOf({ arguments: sent, input }: ValidCall): Pick<ApprovalRequest, 'sent'> {
  return input === sent ? {} : { sent }
}

/** The most files that are named beside the diff. */
const NAMED = 50

/** What a person is asked about what a command that has run really changed. Nothing of it can be granted. */
export function makeChangeRequest(
  cleared: ClearedCall,
  change: ReviewedChange,
  { workspace, secrets }: Parts,
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
    arguments: cleared.shown,
    effects: [...words.slice(0, NAMED), ...(left > 0 ? [`and ${left} more`] : [])],
    rule: change.rule,
    reason: change.reason,
    preview: { kind: 'diff', text: change.diff },
    unusual: ['it has run; yes applies all it changed, no applies nothing'],
    hasRun: true,
    askedBy: [change.rule],
    grants: [],
    digest,
  }
  return maskApproval(asked, secrets)
}

/** The call that a asked, of either kind, is about. */
export function callOfApproval(approval: string): string {
  return approval.replace(/^a_/, '').replace(/\.\w+$/, '')
}
