import type { ClearedCall } from '../core/call.ts'
import type { PrepareContext } from '../core/context.ts'
import { type Failure, failure } from '../core/result.ts'
import { type Answered, approveAgain } from './approve.ts'
import { digestPrepared } from './call-digest.ts'
import { restoreChanged } from './check-changed.ts'
import { parse } from './parse.ts'
import type { Parts, Request } from './request.ts'
import { walkToLine } from './walk-to-line.ts'

interface Place {
  readonly parts: Parts
  readonly context: PrepareContext
}

/** Takes a call that a person said yes to through every room again, since time has passed or they changed it. Their yes stands, a deny does too. */
export async function walkAnswered(answered: Answered, request: Request, place: Place): Promise<ClearedCall | Failure> {
  const { reply, input, digest } = answered
  if (reply.modifiedArgs === undefined) return walkAgain({ ...request, arguments: input }, digest, place)
  const changed = restoreChanged(reply.modifiedArgs, { request, input }, place.parts)
  if ('ok' in changed) return changed
  const parsed = await parse(changed, request.snapshot)
  const walked = await walkToLine(parsed, request.snapshot, place)
  return walked.failure ?? approveAgain(walked.prepared, input)
}

/** The same call must come out as the one that was shown: same tool, same schema, same arguments, same files. */
async function walkAgain(request: Request, digest: string, { parts, context }: Place): Promise<ClearedCall | Failure> {
  const quiet: Parts = { ...parts, emit: () => undefined }
  const walked = await walkToLine(await parse(request, request.snapshot), request.snapshot, { parts: quiet, context })
  if (walked.failure?.code === 'BLOCKED') return walked.failure
  if (walked.failure) return changedSince(request.name, walked.failure.text)
  if (digestPrepared(walked.prepared, parts.workspace) === digest) return approveAgain(walked.prepared)
  return changedSince(request.name, 'a file it relies on, the tool, or its arguments are not what was shown')
}

function changedSince(name: string, what: string): Failure {
  return failure(
    'CONFLICT',
    `${name} was approved, but things have changed since the question was asked: ${what}. Nothing was run. Look again, then repeat the call.`,
    { retryable: true, details: { reason: 'CHANGED' } },
  )
}
