import type { ClearedCall, PreparedCall, ValidCall } from '../core/call/call.ts'
import { type Failure, isFailure } from '../core/call/result.ts'
import { type Answered, approveAgain } from './approve/approve.ts'
import { digestPrepared } from './approve/call-digest.ts'
import { restoreChanged } from './approve/check-changed.ts'
import { judge } from './judge/judge.ts'
import { parse } from './parse/parse.ts'
import { changedSince, findChanged } from './prepare/check-seen.ts'
import { findOutside } from './prepare/prepare.ts'
import type { Parts, Request } from './request.ts'
import { heedStop } from './stopping/stop-during.ts'
import { claimFor, type Way } from './trail.ts'
import { validate } from './validate/validate.ts'
import { blocked, PREPARING, walkToLine } from './walk-to-line.ts'

/** Brings a call that a person said yes to before the commit point. A deny still denies. */
export async function walkAnswered(answered: Answered, way: Way): Promise<ClearedCall | Failure> {
  const { request } = way
  const { reply, input, prepared } = answered
  if (reply.modifiedArgs !== undefined) return walkChanged(reply.modifiedArgs, answered, way)
  if (prepared !== undefined) return goOn(prepared, answered, way)
  return walkAgain({ ...request, arguments: input }, answered, way)
}

/** Other arguments are another call: they go through every stage, and a plan that was begun is given up. */
async function walkChanged(changed: unknown, { input, clearedBy }: Answered, way: Way): Promise<ClearedCall | Failure> {
  const { request, parts } = way
  const restored = restoreChanged(changed, { request, input }, parts)
  if ('ok' in restored) return restored
  const parsed = await parse(restored, request.snapshot)
  const walked = await walkToLine(parsed, request.snapshot, way)
  return walked.failure ?? approveAgain(walked.prepared, clearedBy, input)
}

/** The call that waited here goes on from where it was, without a second `prepare`. Time has passed: its arguments are parsed again, the rules are asked again and the files it saw are looked at again. */
async function goOn(prepared: PreparedCall, { digest, clearedBy }: Answered, way: Way): Promise<ClearedCall | Failure> {
  const { parts, context } = way
  const { call, expects } = prepared
  const { name } = call.entry.tool
  const judged = await heedStop(judge(call, parts.judge), context.stop, PREPARING)
  if (judged.verdict.decision === 'deny') return blocked(call, judged)
  const outside = findOutside(judged.touches, parts.workspace)
  if (outside !== undefined) return outside
  await claimFor(judged, way)
  const again = await parseAgain(call, way)
  if (isFailure(again)) return changedSince(name, again.text)
  if (digestPrepared({ ...prepared, call: again }, parts.workspace) !== digest) return changedSince(name, NOT_AS_SHOWN)
  return findChanged(name, expects, context.files) ?? approveAgain(prepared, clearedBy)
}

/** What the schema makes of the arguments now: an author's schema is code and may give another value, which nobody was shown. */
async function parseAgain(call: ValidCall, { request, context }: Way): Promise<ValidCall | Failure> {
  const { id, session, entry, arguments: sent } = call
  const raw = { id, session, entry, arguments: sent }
  const checked = validate({ raw, repairs: [], background: false, preset: undefined }, request.snapshot)
  const validated = await heedStop(checked, context.stop, PREPARING)
  return isFailure(validated) ? validated : validated.call
}

/** A call that another process asked about goes through every stage here, and must come out as the one that was shown: same tool, same schema, same arguments, same files. */
async function walkAgain(request: Request, answered: Answered, way: Way): Promise<ClearedCall | Failure> {
  const { parts } = way
  const { digest, clearedBy } = answered
  const quiet: Parts = { ...parts, emit: () => undefined }
  const parsed = await parse(request, request.snapshot)
  const walked = await walkToLine(parsed, request.snapshot, { ...way, parts: quiet })
  if (walked.failure?.code === 'BLOCKED' || walked.failure?.code === 'CANCELLED') return walked.failure
  if (walked.failure) return changedSince(request.name, walked.failure.text)
  if (digestPrepared(walked.prepared, parts.workspace) === digest) return approveAgain(walked.prepared, clearedBy)
  return changedSince(request.name, NOT_AS_SHOWN)
}

const NOT_AS_SHOWN = 'a file it relies on, the tool, or its arguments are not what was shown'
