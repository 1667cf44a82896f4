import { type ApprovalAnswer, BY_APPROVER, BY_PROGRAM } from '../../core/approval/approval-record.ts'
import type { ClearedCall, PreparedCall } from '../../core/call/call.ts'
import type { BeforeApproval, CallRun } from '../call-run.ts'
import { proceed, type Stage } from '../stage.ts'
import { ask, refused } from './ask.ts'
import { clearAnswered } from './clear-answered.ts'
import { makeApprovalRequest } from './make-request.ts'

/** Clears a call that is allowed, and asks about any other. Also asks if the grant that allowed the call was used up meanwhile. A call in the background becomes a task here. */
export function approve(prepared: PreparedCall, run: CallRun, repeat: BeforeApproval): Stage<ClearedCall> {
  const { decision, grant } = prepared
  run.request.task?.detach(decision === 'ask' ? 'waiting' : 'running')
  if (decision === 'ask') return askAndClear(prepared, run, repeat)
  if (grant === undefined) return clear(prepared, nameRule(prepared))
  return run.parts.grants
    .use(grant)
    .then((isUsed) => (isUsed ? clear(prepared, nameRule(prepared)) : askAndClear(prepared, run, repeat)))
}

/** Makes the cleared call, with the original arguments if a person changed them. The only place where cleared calls are made. */
export function clear(
  { call, decision, expects, changes, hosts, needsNetwork }: PreparedCall,
  clearedBy: string,
  proposed?: unknown,
): ClearedCall {
  const { id, session, entry, arguments: given, input, shown, mode } = call
  return {
    id,
    session,
    entry,
    arguments: given,
    input,
    shown,
    clearedBy,
    expects,
    hosts,
    needsNetwork,
    mode,
    approvedPaths: decision === 'ask' || mode === 'auto' ? changes : undefined,
    proposed,
  } as ClearedCall
}

/** Returns what allows a call that needs no approval. */
function nameRule({ grant, rule, settledBy }: PreparedCall): string {
  if (grant !== undefined) return `grant ${grant}`
  if (rule.startsWith('mode ')) return rule
  if (settledBy === 'rule') return `rule ${rule}`
  return settledBy === 'default' ? `default (${rule})` : rule
}

async function askAndClear(
  prepared: PreparedCall,
  run: CallRun,
  repeat: BeforeApproval,
): Promise<Awaited<Stage<ClearedCall>>> {
  const { request } = run
  const offersGrants = request.decision === undefined && (request.approver !== undefined || request.wait === true)
  const asked = await makeApprovalRequest(prepared, run, offersGrants)
  const answer = await ask(asked, run, repeat)
  const { reply, by } = answer
  if (reply.approved !== true) return refused(asked, answer, request.stop.isCancelled)
  const isPreset = request.decision !== undefined
  const clearedBy = isPreset ? by : nameAnswerer(answer)
  // A preset answer is immediate, so nothing can have changed since the request was made.
  if (isPreset && reply.modifiedArgs === undefined) return clear(prepared, clearedBy)
  const { digest } = asked
  const answered = { reply, input: prepared.call.arguments, digest, clearedBy, prepared }
  return proceed(clearAnswered(answered, run, repeat), ({ call, proposed }) => clear(call, clearedBy, proposed), run)
}

/** Returns who allowed a call by answering: a person, unless it may be a program. */
export function nameAnswerer({ by }: Pick<ApprovalAnswer, 'by'>): string {
  return by === BY_PROGRAM || by === BY_APPROVER ? by : `person (${by})`
}
