import type { ClearedCall } from '../core/call.ts'
import { type Failure, failure } from '../core/result.ts'
import { type Answered, approveAgain } from './approve.ts'
import { digestPrepared } from './call-digest.ts'
import { restoreChanged } from './check-changed.ts'
import { parse } from './parse.ts'
import type { Parts, Request } from './request.ts'
import type { Way } from './trail.ts'
import { walkToLine } from './walk-to-line.ts'

/** Takes a call that a person said yes to through every room again, since time has passed or they changed it. Their yes stands, a deny does too. */
export async function walkAnswered(answered: Answered, way: Way): Promise<ClearedCall | Failure> {
  const { request } = way
  const { reply, input, clearedBy } = answered
  if (reply.modifiedArgs === undefined) return walkAgain({ ...request, arguments: input }, answered, way)
  const changed = restoreChanged(reply.modifiedArgs, { request, input }, way.parts)
  if ('ok' in changed) return changed
  const parsed = await parse(changed, request.snapshot)
  const walked = await walkToLine(parsed, request.snapshot, way)
  return walked.failure ?? approveAgain(walked.prepared, clearedBy, input)
}

/** The same call must come out as the one that was shown: same tool, same schema, same arguments, same files. */
async function walkAgain(request: Request, answered: Answered, way: Way): Promise<ClearedCall | Failure> {
  const { parts } = way
  const { digest, clearedBy } = answered
  const quiet: Parts = { ...parts, emit: () => undefined }
  const parsed = await parse(request, request.snapshot)
  const walked = await walkToLine(parsed, request.snapshot, { ...way, parts: quiet })
  if (walked.failure?.code === 'BLOCKED' || walked.failure?.code === 'CANCELLED') return walked.failure
  if (walked.failure) return changedSince(request.name, walked.failure.text)
  if (digestPrepared(walked.prepared, parts.workspace) === digest) return approveAgain(walked.prepared, clearedBy)
  return changedSince(request.name, 'a file it relies on, the tool, or its arguments are not what was shown')
}

function changedSince(name: string, what: string): Failure {
  return failure(
    'CONFLICT',
    `${name} was approved, but things have changed since the question was asked: ${what}. Nothing was run. Look again, then repeat the call.`,
    { retryable: true, details: { reason: 'CHANGED' } },
  )
}
