import { failureOf, type Result } from '../core/call/result.ts'
import type { CallRun } from './call-run.ts'
import { flushEnd, hasEffect } from './execute/commit.ts'
import { boundFailure } from './normalise/bound-failure.ts'
import { MaskedOutputs } from './normalise/keep-output.ts'
import { refreshSecrets } from './refresh-secrets.ts'
import type { Stage } from './stage.ts'

/** Runs the stages of a call and ends it, whatever they do: bounds a failure, runs the tool's cleanups, releases what the call holds, logs `call-end`. `started` is when it began, in milliseconds of the process's clock. The only place where errors thrown by stages are caught. Never rejects. */
export async function endCall(run: CallRun, stages: () => Stage<Result>, started: number): Promise<Result> {
  const { request, parts, context } = run
  const { id: call, session, stop } = request
  try {
    let result: Result
    try {
      const made = stages()
      result = made instanceof Promise ? await made : made
    } catch (thrown) {
      result = failureOf(thrown)
    }
    if (!result.ok) result = await boundFailure(call, result, new MaskedOutputs(run))
    if (context.plan) await context.finish(result)
    run.claim?.release()
    run.giveTurnBack?.()
    const now = performance.now()
    refreshSecrets(parts.masker, run.valid?.entry, now)
    parts.emit({ type: 'call-end', session, call, result, duration: now - started })
    if (mayHaveEffect(run)) await flushEnd(parts.storage)
    if (run.approval !== undefined) await parts.storage.approvals.settle(run.approval)
    return result
  } finally {
    stop.end()
  }
}

/** True if the end of the call is committed before the caller gets the result. */
function mayHaveEffect({ valid, approval }: CallRun): boolean {
  return approval !== undefined || (valid !== undefined && hasEffect(valid.entry))
}
