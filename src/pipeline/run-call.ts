import type { Approvals, Reply } from '../core/approvals.ts'
import type { ClearedCall, PreparedCall, ValidCall } from '../core/call.ts'
import type { Delegate } from '../core/delegate.ts'
import type { EventBody } from '../core/event.ts'
import type { FilesDoor } from '../core/files.ts'
import { type Failure, failure, failureOf, isFailure, type Result } from '../core/result.ts'
import type { Decision, Judge, Opinion } from '../core/rule.ts'
import type { Sandbox } from '../core/sandbox.ts'
import type { Snapshot } from '../core/snapshot.ts'
import type { Store } from '../core/store.ts'
import type { Tasks } from '../core/task.ts'
import { type Answerer, approve, approveChanged } from './approve.ts'
import type { BackgroundCalls } from './background-calls.ts'
import { CallContext } from './call-context.ts'
import { execute } from './execute.ts'
import { type Judged, judge } from './judge.ts'
import { crossLine, hasEffect, keepEnd } from './ledger.ts'
import { normalise } from './normalise.ts'
import { type Parsed, type Proposal, parse } from './parse.ts'
import { MAX_SIZE } from './plain-data.ts'
import { prepare, settleDecision } from './prepare.ts'
import { type Detach, startTask } from './start-task.ts'
import type { Stop } from './stop.ts'
import { type Validated, validate } from './validate.ts'
import { type Claim, claimPaths, writtenPaths } from './writers.ts'

/** The parts of the house a call meets on its way. */
export interface Parts {
  readonly workspace: string
  readonly judge: Judge
  readonly store: Store
  readonly files: FilesDoor
  readonly sandbox: Sandbox
  /** Who is asked to open and show things; undefined where nobody shall be. */
  readonly delegate: Delegate | undefined
  readonly background: BackgroundCalls
  readonly tasks: Tasks
  emit(body: EventBody): void
}

/** A call at a door, and how that door answers questions. */
export interface Request extends Proposal {
  readonly snapshot: Snapshot
  readonly decision?: Reply | undefined
  readonly approvals?: Approvals | undefined
  readonly stop: Stop
  /** Seconds, in place of the tool's own limit. */
  readonly timeout?: number | undefined
  /** There where it shall run in the background. */
  readonly task?: Detach | undefined
}

// Most rooms answer at once, and awaiting an answer that is there costs more than making it: so promises alone are awaited.

/** One call from proposal to result, room by room; of a call in the background, to its task id. Never throws. */
export async function runCall(request: Request, parts: Parts): Promise<Result> {
  const { id, session, name, stop } = request
  const started = performance.now()
  const parsing = parse(request, request.snapshot)
  const parsed = parsing instanceof Promise ? await parsing : parsing
  parts.emit({ type: 'call-start', session, call: id, name, arguments: loggable(request.arguments, parsed) })
  if (isFailure(parsed) || !parsed.background) return bringToEnd(parsed, request, { parts, started })
  const { tool } = parsed.raw.entry
  return startTask({ id, session, tool: tool.name, stop }, parts, (task) =>
    bringToEnd(parsed, { ...request, task }, { parts, started }),
  )
}

async function bringToEnd(
  parsed: Parsed | Failure,
  request: Request,
  { parts, started }: { parts: Parts; started: number },
): Promise<Result> {
  const { id: call, session } = request
  const context = new CallContext(request, parts)
  const trail: Trail = { claim: undefined }
  let result: Result
  try {
    result = await walk(parsed, request, { parts, context, trail })
  } catch (thrown) {
    result = failureOf(thrown)
  }
  if (context.plan) await context.finish(result)
  trail.claim?.release()
  parts.emit({ type: 'call-end', session, call, result, duration: performance.now() - started })
  if (!isFailure(parsed) && hasEffect(parsed.raw.entry)) await keepEnd(parts.store)
  return result
}

/** The arguments as the log keeps them: as they came, but never an object that could still change, nor one past the limit. */
function loggable(given: unknown, parsed: Parsed | Failure): unknown {
  if (typeof given === 'string') return given.length <= MAX_SIZE ? given : `${given.slice(0, 1_000)}…`
  return isFailure(parsed) ? null : parsed.raw.arguments
}

async function walk(
  parsed: Parsed | Failure,
  request: Request,
  { parts, context, trail }: { parts: Parts; context: CallContext; trail: Trail },
): Promise<Result> {
  const walked = await walkToLine(parsed, request.snapshot, { parts, context, trail })
  if (walked.failure) return walked.failure
  const asks = walked.prepared.decision === 'ask' && request.decision === undefined
  if (asks) trail.claim?.release()
  request.task?.detach(walked.prepared.decision === 'ask' ? 'waiting' : 'running')
  const asking = approve(walked.prepared, answererOf(request, parts, walked.judged))
  const answered = asking instanceof Promise ? await asking : asking
  if (isFailure(answered)) return answered
  const changed = 'changed' in answered
  const cleared = changed
    ? await walkChanged({ ...request, arguments: answered.changed }, { parts, context, trail })
    : answered
  if (isFailure(cleared)) return cleared
  const mustWait = request.task?.mustWait ?? false
  if (mustWait) trail.claim?.release()
  const giveBack = request.task && (await request.task.takeTurn())
  if (mustWait || (asks && !changed)) await claimFor(walked.judged, { parts, context, trail })
  try {
    return await runCleared(cleared, request, { parts, context, changed })
  } finally {
    giveBack?.()
  }
}

/** The line, and what comes after it. */
async function runCleared(
  cleared: ClearedCall,
  { stop, timeout: seconds, task, snapshot }: Request,
  { parts, context, changed }: { parts: Parts; context: CallContext; changed: boolean },
): Promise<Result> {
  const { emit, store } = parts
  if (hasEffect(cleared.entry)) await crossLine(cleared, store)
  if (stop.wished) return cancelled(cleared)
  emit({ type: 'call-run', session: cleared.session, call: cleared.id, clearedBy: cleared.clearedBy })
  const returned = await execute(cleared, { context, stop, seconds, isTask: task !== undefined })
  if (isFailure(returned)) return returned
  return normalise(cleared, returned, { snapshot, changed, store })
}

/** What a person put in place of the arguments goes through every room before the line again; their yes stands, a deny does too. */
async function walkChanged(request: Request, place: WalkPlace): Promise<ClearedCall | Failure> {
  place.trail?.claim?.release()
  const walked = await walkToLine(await parse(request, request.snapshot), request.snapshot, place)
  return walked.failure ?? approveChanged(walked.prepared)
}

/** What a call holds that must be given back when it has ended. */
export interface Trail {
  /** Its right to write to the paths it names. */
  claim: Claim | undefined
}

/** What a walk to the line needs; without a trail the call goes no further, and holds nothing. */
export interface WalkPlace {
  readonly parts: Parts
  readonly context: CallContext
  readonly trail?: Trail
}

/** Waits for other writers of the same paths: what is seen from here on stays so until this call has ended. */
async function claimFor({ touches }: Judged, { parts, context, trail }: WalkPlace): Promise<void> {
  const paths = writtenPaths(touches, parts.workspace)
  if (trail && paths.length > 0) trail.claim = await claimPaths(paths, context.stop)
}

/** How far a call came before the line: all the way, or to the room that refused it. */
export type Walked = { readonly validated?: Validated; readonly judged?: Judged } & (
  | { readonly failure: Failure }
  | {
      readonly failure?: never
      readonly validated: Validated
      readonly judged: Judged
      readonly prepared: PreparedCall
    }
)

/** Everything before the line but parse: validate, judge, prepare. Changes nothing and may be repeated. */
export async function walkToLine(parsed: Parsed | Failure, snapshot: Snapshot, place: WalkPlace): Promise<Walked> {
  const { parts, context } = place
  if (isFailure(parsed)) return { failure: parsed }
  const validating = validate(parsed, snapshot)
  const validated = validating instanceof Promise ? await validating : validating
  if (isFailure(validated)) return { failure: validated }
  const { call, repairs } = validated
  if (repairs.length > 0) parts.emit({ type: 'call-repaired', session: call.session, call: call.id, repairs })
  const judging = judge(call, parts.judge)
  const judged = judging instanceof Promise ? await judging : judging
  if (judged.verdict.decision === 'deny') {
    emitJudged(parts, call, { ...judged.verdict, decision: 'deny' })
    return { validated, judged, failure: blocked(call, judged) }
  }
  if (judged.touches.length > 0) await claimFor(judged, place)
  const preparing = prepare(call, judged, context)
  const prepared = preparing instanceof Promise ? await preparing : preparing
  if (isFailure(prepared)) {
    emitJudged(parts, call, { ...settleDecision(call, judged, undefined), trace: judged.verdict.trace })
    return { validated, judged, failure: prepared }
  }
  emitJudged(parts, call, { ...prepared, trace: judged.verdict.trace })
  return { validated, judged, prepared }
}

interface Decided {
  readonly decision: Decision
  readonly rule: string
  readonly reason: string
  readonly trace: readonly Opinion[]
}

function emitJudged({ emit }: Parts, { session, id }: ValidCall, { decision, rule, reason, trace }: Decided): void {
  emit({ type: 'call-judged', session, call: id, decision, rule, reason, trace })
}

function answererOf({ decision, approvals, stop }: Request, { emit }: Parts, { effects }: Judged): Answerer {
  return { decision, approvals, stop, effects, emit }
}

function cancelled({ entry }: ClearedCall): Failure {
  return failure('CANCELLED', `${entry.tool.name} was cancelled before it began. Nothing was run.`)
}

function blocked(call: ValidCall, { verdict: { rule, reason } }: Judged): Failure {
  return failure('BLOCKED', `${call.entry.tool.name} was blocked by rule "${rule}": ${reason}. Nothing was run.`, {
    details: { rule },
  })
}
