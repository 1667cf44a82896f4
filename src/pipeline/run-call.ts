import type { ClearedCall } from '../core/call.ts'
import { type Failure, failure, failureOf, isFailure, type Result } from '../core/result.ts'
import { type Asker, approve } from './approve.ts'
import type { CallContext } from './call-context.ts'
import { createConfirm } from './confirm-change.ts'
import { execute } from './execute.ts'
import { crossLine, hasEffect, keepEnd } from './ledger.ts'
import { normalise } from './normalise.ts'
import { type Parsed, parse } from './parse.ts'
import { MAX_SIZE } from './plain-data.ts'
import { contextOf, type Parts, type Request } from './request.ts'
import { tellChanged } from './tell-changed.ts'
import { walkAnswered } from './walk-answered.ts'
import { walkToLine } from './walk-to-line.ts'

// Most rooms answer at once, and awaiting an answer that is there costs more than making it: so promises alone are awaited.

/** One call from proposal to result, room by room. Never throws. */
export async function runCall(request: Request, parts: Parts): Promise<Result> {
  const { id, session, name } = request
  const started = performance.now()
  const parsing = parse(request, request.snapshot)
  const parsed = parsing instanceof Promise ? await parsing : parsing
  parts.emit({ type: 'call-start', session, call: id, name, arguments: loggable(request.arguments, parsed) })
  const asker: Asker = { request, parts, trail: { approval: undefined } }
  let result: Result
  try {
    result = await walk(parsed, asker)
  } catch (thrown) {
    result = failureOf(thrown)
  }
  parts.emit({ type: 'call-end', session, call: id, result, duration: performance.now() - started })
  if (!isFailure(parsed) && hasEffect(parsed.raw.entry)) await keepEnd(parts.store)
  settleTrail(asker)
  return result
}

/** The arguments as the log keeps them: as they came, but never an object that could still change, nor one past the limit. */
function loggable(given: unknown, parsed: Parsed | Failure): unknown {
  if (typeof given === 'string') return given.length <= MAX_SIZE ? given : `${given.slice(0, 1_000)}…`
  return isFailure(parsed) ? null : parsed.raw.arguments
}

/** Puts away what an ended call leaves at the desk. */
export function settleTrail({ parts, trail }: Asker): void {
  if (trail.approval !== undefined) parts.store.settleApproval(trail.approval)
}

async function walk(parsed: Parsed | Failure, asker: Asker): Promise<Result> {
  const { request, parts } = asker
  const context = contextOf(request, parts)
  const walked = await walkToLine(parsed, request.snapshot, { parts, context })
  if (walked.failure) return walked.failure
  const asking = approve(walked.prepared, { ...asker, judged: walked.judged })
  const answered = asking instanceof Promise ? await asking : asking
  if (isFailure(answered)) return answered
  if (!('reply' in answered)) return runCleared(answered, { ...asker, context })
  const cleared = await walkAnswered(answered, request, { parts, context })
  return isFailure(cleared) ? cleared : runChanged(cleared, answered.input, { ...asker, context })
}

/** A call that is about to run. */
export interface Running extends Asker {
  readonly context: CallContext
}

/** Runs what a person said yes to, and tells what they changed. */
export async function runChanged(cleared: ClearedCall, proposed: unknown, running: Running): Promise<Result> {
  return tellChanged(await runCleared(cleared, running), proposed, cleared)
}

/** The line, and what comes after it. */
async function runCleared(cleared: ClearedCall, running: Running): Promise<Result> {
  const { request, parts, context } = running
  const { emit, store } = parts
  const { session, id: call, clearedBy } = cleared
  if (hasEffect(cleared.entry)) await crossLine(cleared, store)
  if (request.stop.wished) return cancelled(cleared)
  emit({ type: 'call-run', session, call, clearedBy, ...(cleared.isChanged && { arguments: cleared.input }) })
  const confirm = createConfirm(cleared, running)
  const returned = await execute(cleared, { context, stop: request.stop, seconds: request.timeout, emit, confirm })
  if (isFailure(returned)) return returned
  return normalise(cleared, returned, { snapshot: request.snapshot, store })
}

function cancelled({ entry }: ClearedCall): Failure {
  return failure('CANCELLED', `${entry.tool.name} was cancelled before it began. Nothing was run.`)
}
