import type { ClearedCall } from '../core/call/call.ts'
import { type Failure, failure, failureOf, isFailure, type Result } from '../core/call/result.ts'
import { andThen } from '../core/text/and-then.ts'
import { approve } from './approve/approve.ts'
import { createConfirm } from './approve/confirm-change.ts'
import { tellChanged } from './approve/tell-changed.ts'
import { CallContext } from './execute/call-context.ts'
import { execute } from './execute/execute.ts'
import { crossLine, hasEffect, keepEnd } from './execute/ledger.ts'
import { noteUnkept } from './execute/note-unkept.ts'
import { boundFailure, normalise } from './normalise/normalise.ts'
import { holdClaim } from './ordering/writers.ts'
import { type Parsed, parse } from './parse/parse.ts'
import { MAX_SIZE } from './parse/plain-data.ts'
import type { Parts, Request } from './request.ts'
import { type During, heedStop } from './stopping/stop-during.ts'
import { startTask } from './tasks/start-task.ts'
import { putAway, settleTrail, type Trail, takeTurn, type Way } from './trail.ts'
import { walkAnswered } from './walk-answered.ts'
import { walkToLine } from './walk-to-line.ts'

// Most rooms answer at once, and awaiting an answer that is there costs more than making it: so promises alone are awaited.

/** One call from proposal to result, room by room; of a call in the background, to its task id. Never throws; tells the stop when it has its answer. */
export function runCall(request: Request, parts: Parts): Promise<Result> {
  const started = performance.now()
  const parsing = parse(request, request.snapshot)
  if (!(parsing instanceof Promise)) return runParsed(parsing, request, { parts, started })
  return parsing.catch(failureOf).then((parsed) => runParsed(parsed, request, { parts, started }))
}

interface Run {
  readonly parts: Parts
  readonly started: number
}

function runParsed(parsed: Parsed | Failure, given: Request, { parts, started }: Run): Promise<Result> {
  const request = isFailure(parsed) ? given : named(given, parsed.raw.entry.tool.name)
  const { id, session, name, stop } = request
  const args = loggable(request.arguments, parsed)
  parts.emit({ type: 'call-start', session, call: id, name: loggableName(name), arguments: args })
  if (isFailure(parsed) || !parsed.background) return bringToEnd(parsed, request, { parts, started })
  const { tool } = parsed.raw.entry
  const task = startTask({ id, session, tool: tool.name, stop }, parts, (detach) =>
    bringToEnd(parsed, { ...request, task: detach }, { parts, started }),
  )
  return task.finally(() => stop.end())
}

async function bringToEnd(parsed: Parsed | Failure, request: Request, { parts, started }: Run): Promise<Result> {
  const { id: call, session, stop } = request
  const trail: Trail = { approval: undefined, claim: undefined }
  const way: Way = { request, parts, trail, context: new CallContext(request, parts) }
  let result: Result
  try {
    try {
      const walking = walk(parsed, way)
      const cleared = walking instanceof Promise ? await walking : walking
      result = isFailure(cleared) ? cleared : await runInTurn(cleared, way)
    } catch (thrown) {
      result = failureOf(thrown)
    }
    if (!result.ok) result = await boundFailure(call, result, parts.storage.outputs)
    if (way.context.plan || trail.claim) await putAway(result, way)
    parts.emit({ type: 'call-end', session, call, result, duration: performance.now() - started })
    if (!isFailure(parsed) && hasEffect(parsed.raw.entry)) await keepEnd(parts.storage)
    if (trail.approval !== undefined) await settleTrail(way)
    return result
  } finally {
    stop.end()
  }
}

/** The request by the tool's own name: from here on an alias is forgotten, so that what it presets is not put back where a person takes it out. */
function named(request: Request, tool: string): Request {
  return request.name === tool ? request : { ...request, name: tool }
}

/** The arguments as the log keeps them: as they came, with what an alias presets, but never an object that could still change, nor one past the limit. */
function loggable(given: unknown, parsed: Parsed | Failure): unknown {
  if (!isFailure(parsed) && parsed.preset) return parsed.raw.arguments
  if (typeof given === 'string') return given.length <= MAX_SIZE ? given : `${given.slice(0, 1_000)}…`
  return isFailure(parsed) ? null : parsed.raw.arguments
}

/** The most of a name that the log keeps; that of a tool is shorter. */
const MAX_NAME = 1_000

/** The name as the log keeps it: always a text, since one event that cannot be written would keep all others from it. */
function loggableName(name: unknown): string {
  return typeof name === 'string' ? name.slice(0, MAX_NAME) : `(${typeof name})`
}

/** Everything before the line: a call that may happen, or the room that refused it. */
function walk(parsed: Parsed | Failure, way: Way): ClearedCall | Failure | Promise<ClearedCall | Failure> {
  const { request } = way
  return andThen(walkToLine(parsed, request.snapshot, way), (walked) => {
    if (walked.failure) return walked.failure
    request.task?.detach(walked.prepared.decision === 'ask' ? 'waiting' : 'running')
    return andThen(approve(walked.prepared, walked.judged, way), (answered) =>
      'reply' in answered ? walkAnswered(answered, way) : answered,
    )
  })
}

/** A task waits for its turn before it crosses the line. */
function runInTurn(cleared: ClearedCall, way: Way): Result | Promise<Result> {
  const { task } = way.request
  if (task === undefined) return runCleared(cleared, way)
  return takeTurn(task, way).then(async (giveBack) => {
    try {
      return await runCleared(cleared, way)
    } finally {
      giveBack()
    }
  })
}

const CHECKING: During = 'while its result was checked. It has run.'

/** The line, and what comes after it. */
export function runCleared(cleared: ClearedCall, way: Way): Result | Promise<Result> {
  if (way.request.stop.isCancelled) return cancelled(cleared)
  if (!hasEffect(cleared.entry)) return runTool(cleared, way)
  return crossLine(cleared, way.parts.storage).then(() => runTool(cleared, way))
}

function runTool(cleared: ClearedCall, way: Way): Result | Promise<Result> {
  const { parts, context, trail } = way
  const { stop, timeout: seconds, task, snapshot } = way.request
  const { emit, storage } = parts
  const { session, id: call, clearedBy, shown, proposed } = cleared
  if (stop.isCancelled) return cancelled(cleared)
  const run = { type: 'call-run', session, call, clearedBy } as const
  emit(proposed === undefined ? run : { ...run, arguments: shown })
  const makeConfirm = () => createConfirm(cleared, way)
  const workshop = { context, stop, seconds, isTask: task !== undefined, makeConfirm }
  const work = trail.claim ? holdClaim(trail.claim, () => execute(cleared, workshop)) : execute(cleared, workshop)
  return andThen(work, (returned) => {
    noteUnkept(cleared, returned, context)
    if (isFailure(returned)) return returned
    const result = heedStop(
      normalise(cleared, returned, {
        snapshot,
        outputs: storage.outputs,
        hasStreamedAll: context.output?.hasStreamedAll ?? true,
      }),
      stop,
      CHECKING,
    )
    return proposed === undefined ? result : andThen(result, (whole) => tellChanged(whole, cleared))
  })
}

function cancelled({ entry }: ClearedCall): Failure {
  return failure('CANCELLED', `${entry.tool.name} was cancelled before it began. Nothing was run.`)
}
