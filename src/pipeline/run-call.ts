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
    const way: Way = { request, parts, trail: asker.trail, context: contextOf(request, parts) }
    const cleared = await walk(parsed, way)
    result = isFailure(cleared) ? cleared : await runCleared(cleared, way)
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

/** Everything before the line: a call that may happen, or the room that refused it. */
async function walk(parsed: Parsed | Failure, way: Way): Promise<ClearedCall | Failure> {
  const { request, parts, trail, context } = way
  const walked = await walkToLine(parsed, request.snapshot, way)
  if (walked.failure) return walked.failure
  const asking = approve(walked.prepared, { request, parts, trail, judged: walked.judged })
  const answered = asking instanceof Promise ? await asking : asking
  return 'reply' in answered ? walkAnswered(answered, request, { parts, context }) : answered
}

/** A call under way: what was asked for, by whose means, and what its tool may reach. */
export interface Way extends Asker {
  readonly context: CallContext
}

/** The line, and what comes after it. */
export async function runCleared(cleared: ClearedCall, way: Way): Promise<Result> {
  const { request, parts, context } = way
  const { emit, store } = parts
  const { session, id: call, clearedBy, input } = cleared
  if (hasEffect(cleared.entry)) await crossLine(cleared, store)
  if (request.stop.wished) return cancelled(cleared)
  const run = { type: 'call-run', session, call, clearedBy } as const
  emit(cleared.proposed === undefined ? run : { ...run, arguments: input })
  const confirm = createConfirm(cleared, way)
  const returned = await execute(cleared, { context, stop: request.stop, seconds: request.timeout, emit, confirm })
  const result = isFailure(returned) ? returned : normalise(cleared, returned, { snapshot: request.snapshot, store })
  return cleared.proposed === undefined ? result : tellChanged(await result, cleared)
}

function cancelled({ entry }: ClearedCall): Failure {
  return failure('CANCELLED', `${entry.tool.name} was cancelled before it began. Nothing was run.`)
}
