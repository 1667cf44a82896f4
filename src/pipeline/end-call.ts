import { failureOf, type Result } from '../core/call/result.ts'
import type { CallRun } from './call-run.ts'
import { flushEnd, hasEffect } from './execute/commit.ts'
import { boundFailure } from './normalise/bound-failure.ts'
import { MaskedOutputs } from './normalise/keep-output.ts'
import { refreshSecrets } from './refresh-secrets.ts'
import type { Stage } from './stage.ts'

/** Runs the stages of a call and ends it, whatever they do: bounds a failure, runs the tool's cleanups, releases what the call holds, logs `call-end`. `started` is when it began, in milliseconds of the process's clock. The only place where errors thrown by stages are caught. Never rejects. */
export function endCall(run: CallRun, stages: () => Stage<Result>, started: number): Promise<Result> {
  // With `then`: an async function took a twentieth of the time of a call (gate 1b).
  return runStages(stages).then(
    (result) => finish(result, run, started),
    (thrown) => finish(failureOf(thrown), run, started),
  )
}

function runStages(stages: () => Stage<Result>): Promise<Result> {
  try {
    const made = stages()
    return made instanceof Promise ? made : Promise.resolve(made)
  } catch (thrown) {
    return Promise.resolve(failureOf(thrown))
  }
}

/** Returns a promise only if something has to be waited for. */
function finish(result: Result, run: CallRun, started: number): Result | Promise<Result> {
  return result.ok && !run.context.plan && !mayHaveEffect(run)
    ? endQuietly(result, run, started)
    : endFully(result, run, started)
}

/** Ends a call that changed nothing and has nothing to clean up. */
function endQuietly(result: Result, run: CallRun, started: number): Result {
  try {
    logEnd(result, run, started)
    return result
  } finally {
    run.request.stop.end()
  }
}

async function endFully(made: Result, run: CallRun, started: number): Promise<Result> {
  const { request, parts, context, approval } = run
  try {
    const result = made.ok ? made : await boundFailure(request.id, made, new MaskedOutputs(run))
    if (context.plan) await context.finish(result)
    logEnd(result, run, started)
    if (mayHaveEffect(run)) await flushEnd(parts.storage)
    if (approval !== undefined) await parts.storage.approvals.settle(approval)
    return result
  } finally {
    request.stop.end()
  }
}

/** Releases what the call holds, and logs its end. */
function logEnd(result: Result, { request, parts, claim, giveTurnBack, valid }: CallRun, started: number): void {
  const { id: call, session } = request
  claim?.release()
  giveTurnBack?.()
  const now = performance.now()
  refreshSecrets(parts.masker, valid?.entry, now)
  parts.emit({ type: 'call-end', session, call, result, duration: now - started })
}

/** True if the end of the call is committed before the caller gets the result. */
function mayHaveEffect({ valid, approval }: CallRun): boolean {
  return approval !== undefined || (valid !== undefined && hasEffect(valid.entry))
}
