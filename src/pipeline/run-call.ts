import type { ClearedCall } from '../core/call.ts'
import { type Failure, failure, failureOf, isFailure, type Result } from '../core/result.ts'
import { approve } from './approve.ts'
import { CallContext } from './call-context.ts'
import { execute } from './execute.ts'
import { crossLine, hasEffect, keepEnd } from './ledger.ts'
import { normalise } from './normalise.ts'
import { type Parsed, parse } from './parse.ts'
import { MAX_SIZE } from './plain-data.ts'
import type { Parts, Request } from './request.ts'
import { startTask } from './start-task.ts'
import { tellChanged } from './tell-changed.ts'
import { type CallPlace, putAway, type Trail, takeTurn } from './trail.ts'
import { walkAnswered } from './walk-answered.ts'
import { walkToLine } from './walk-to-line.ts'

// Most rooms answer at once, and awaiting an answer that is there costs more than making it: so promises alone are awaited.

/** One call from proposal to result, room by room; of a call in the background, to its task id. Never throws. */
export function runCall(request: Request, parts: Parts): Promise<Result> {
  const started = performance.now()
  const parsing = parse(request, request.snapshot)
  if (!(parsing instanceof Promise)) return runParsed(parsing, request, { parts, started })
  return parsing.then((parsed) => runParsed(parsed, request, { parts, started }))
}

interface Run {
  readonly parts: Parts
  readonly started: number
}

function runParsed(parsed: Parsed | Failure, request: Request, { parts, started }: Run): Promise<Result> {
  const { id, session, name, stop } = request
  parts.emit({ type: 'call-start', session, call: id, name, arguments: loggable(request.arguments, parsed) })
  if (isFailure(parsed) || !parsed.background) return bringToEnd(parsed, request, { parts, started })
  const { tool } = parsed.raw.entry
  return startTask({ id, session, tool: tool.name, stop }, parts, (task) =>
    bringToEnd(parsed, { ...request, task }, { parts, started }),
  )
}

async function bringToEnd(parsed: Parsed | Failure, request: Request, { parts, started }: Run): Promise<Result> {
  const { id: call, session } = request
  const trail: Trail = { approval: undefined, claim: undefined }
  const place: CallPlace = { parts, context: new CallContext(request, parts), trail }
  let result: Result
  try {
    result = await walk(parsed, request, place)
  } catch (thrown) {
    result = failureOf(thrown)
  }
  if (place.context.plan || trail.claim) await putAway(result, place)
  parts.emit({ type: 'call-end', session, call, result, duration: performance.now() - started })
  if (!isFailure(parsed) && hasEffect(parsed.raw.entry)) await keepEnd(parts.store)
  if (trail.approval !== undefined) parts.store.settleApproval(trail.approval)
  return result
}

/** The arguments as the log keeps them: as they came, but never an object that could still change, nor one past the limit. */
function loggable(given: unknown, parsed: Parsed | Failure): unknown {
  if (typeof given === 'string') return given.length <= MAX_SIZE ? given : `${given.slice(0, 1_000)}…`
  return isFailure(parsed) ? null : parsed.raw.arguments
}

async function walk(parsed: Parsed | Failure, request: Request, place: CallPlace): Promise<Result> {
  const walked = await walkToLine(parsed, request.snapshot, place)
  if (walked.failure) return walked.failure
  request.task?.detach(walked.prepared.decision === 'ask' ? 'waiting' : 'running')
  const { parts, trail } = place
  const asking = approve(walked.prepared, { request, parts, judged: walked.judged, trail })
  const answered = asking instanceof Promise ? await asking : asking
  if (isFailure(answered)) return answered
  if (!('reply' in answered)) return runInTurn(answered, request, place)
  const cleared = await walkAnswered(answered, request, place)
  return isFailure(cleared) ? cleared : runChanged(cleared, answered.input, { request, place })
}

/** Runs what a person said yes to, and tells what they changed. */
export async function runChanged(
  cleared: ClearedCall,
  proposed: unknown,
  { request, place }: { request: Request; place: CallPlace },
): Promise<Result> {
  return tellChanged(await runInTurn(cleared, request, place), proposed, cleared)
}

/** A task waits for its turn before it crosses the line. */
function runInTurn(cleared: ClearedCall, request: Request, place: CallPlace): Promise<Result> {
  const { task } = request
  if (task === undefined) return runCleared(cleared, request, place)
  return takeTurn(task, place).then((giveBack) => runCleared(cleared, request, place).finally(giveBack))
}

/** The line, and what comes after it. */
async function runCleared(
  cleared: ClearedCall,
  { stop, timeout: seconds, task, snapshot }: Request,
  { parts, context }: CallPlace,
): Promise<Result> {
  const { emit, store } = parts
  const { session, id: call, clearedBy } = cleared
  if (hasEffect(cleared.entry)) await crossLine(cleared, store)
  if (stop.wished) return cancelled(cleared)
  emit({ type: 'call-run', session, call, clearedBy, ...(cleared.isChanged && { arguments: cleared.input }) })
  const returned = await execute(cleared, { context, stop, seconds, isTask: task !== undefined })
  if (isFailure(returned)) return returned
  return normalise(cleared, returned, { snapshot, store })
}

function cancelled({ entry }: ClearedCall): Failure {
  return failure('CANCELLED', `${entry.tool.name} was cancelled before it began. Nothing was run.`)
}
