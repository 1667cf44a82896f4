import type { Reply } from '../../core/approval/approval.ts'
import type { PreparedCall, ValidCall } from '../../core/call/call.ts'
import { type Failure, isFailure } from '../../core/call/result.ts'
import type { BeforeApproval, CallRun } from '../call-run.ts'
import { blocked, judgeCall } from '../judge/judge.ts'
import { claimWritten } from '../ordering/claim-written.ts'
import { parse } from '../parse/parse.ts'
import { changedSince, findChanged } from '../prepare/check-seen.ts'
import { findOutside } from '../prepare/prepare.ts'
import { quietEmit, type Request } from '../request.ts'
import { PREPARING, stopDuring } from '../stopping/stop-during.ts'
import { validateArguments } from '../validate/validate.ts'
import { digestPrepared } from './call-digest.ts'
import { restoreChanged } from './check-changed.ts'

/** An approval. It takes effect only after a check that the call is still the one that was shown. */
export interface Answered {
  readonly reply: Extract<Reply, { approved: true }>
  /** The call as it waited in this process; undefined if another process asked. */
  readonly prepared?: PreparedCall
  /** The arguments as they were sent. They are parsed again. */
  readonly input: unknown
  readonly digest: string
}

/** A call that may be cleared, and the original arguments if a person changed them. */
export interface Checked {
  readonly call: PreparedCall
  readonly proposed?: unknown
}

/** Checks an approved call again. A deny still denies. */
export async function clearAnswered(
  answered: Answered,
  run: CallRun,
  repeat: BeforeApproval,
): Promise<Checked | Failure> {
  const { reply, input, prepared } = answered
  if (reply.modifiedArgs !== undefined) return checkChanged(reply.modifiedArgs, { input, repeat }, run)
  if (prepared !== undefined) return checkUnchanged(prepared, answered, run)
  return checkElsewhere({ ...run.request, arguments: input }, { ...answered, repeat }, run)
}

/** Changed arguments go through every stage like a new call. A plan that was already begun is cleaned up. */
async function checkChanged(
  changed: unknown,
  { input, repeat }: { readonly input: unknown; readonly repeat: BeforeApproval },
  run: CallRun,
): Promise<Checked | Failure> {
  const request = restoreChanged(changed, { request: run.request, input }, run.parts)
  if ('ok' in request) return request
  const parsed = await parse(request, request.snapshot)
  const call = isFailure(parsed) ? parsed : await repeat(parsed, run)
  return isFailure(call) ? call : { call, proposed: input }
}

/** Continues a call that waited in this process, without a second `prepare`. Because time has passed, its arguments are parsed again, the rules are evaluated again, and the files it saw are compared. */
async function checkUnchanged(prepared: PreparedCall, { digest }: Answered, run: CallRun): Promise<Checked | Failure> {
  const { parts, request, context } = run
  const { call, expects } = prepared
  const { name } = call.entry.tool
  const judged = await stopDuring(judgeCall(call, parts.judge), request.stop, PREPARING)
  if (judged.verdict.decision === 'deny') return blocked(judged)
  const outside = findOutside(judged.touches, parts.workspace)
  if (outside !== undefined) return outside
  await claimWritten(judged, run)
  const again = await parseAgain(call, request)
  if (isFailure(again)) return changedSince(name, again.text)
  if (digestPrepared({ ...prepared, call: again }, parts.workspace) !== digest) return changedSince(name, NOT_AS_SHOWN)
  return findChanged(name, expects, context.files) ?? { call: prepared }
}

/** Parses the arguments again. An author's schema is code and may now give another value, which nobody has approved. */
async function parseAgain(call: ValidCall, { snapshot, stop }: Request): Promise<ValidCall | Failure> {
  const { id, session, entry, arguments: sent } = call
  const raw = { id, session, entry, arguments: sent }
  const checked = validateArguments({ raw, repairs: [], background: false, preset: undefined }, snapshot)
  const validated = await stopDuring(checked, stop, PREPARING)
  return isFailure(validated) ? validated : validated.call
}

/** Runs a call that another process asked about through every stage. The outcome must be the call that was shown: same tool, same schema, same arguments, same files. */
async function checkElsewhere(
  request: Request,
  { digest, repeat }: Answered & { readonly repeat: BeforeApproval },
  run: CallRun,
): Promise<Checked | Failure> {
  const parsed = await parse(request, request.snapshot)
  const quiet = { ...run, parts: quietEmit(run.parts) }
  const call = isFailure(parsed) ? parsed : await repeat(parsed, quiet)
  run.claim = quiet.claim
  if (!isFailure(call))
    return digestPrepared(call, run.parts.workspace) === digest ? { call } : changedSince(request.name, NOT_AS_SHOWN)
  const isFinal = call.code === 'BLOCKED' || call.code === 'CANCELLED'
  return isFinal ? call : changedSince(request.name, call.text)
}

const NOT_AS_SHOWN = 'a file it depends on, the tool or its arguments differ from what was shown'
