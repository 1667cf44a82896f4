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
import { type Answerer, approve, approveChanged } from './approve.ts'
import { CallContext } from './call-context.ts'
import { execute } from './execute.ts'
import { type Judged, judge } from './judge.ts'
import { crossLine, hasEffect, keepEnd } from './ledger.ts'
import { normalise } from './normalise.ts'
import { type Parsed, type Proposal, parse } from './parse.ts'
import { MAX_SIZE } from './plain-data.ts'
import { prepare, settleDecision } from './prepare.ts'
import type { Stop } from './stop.ts'
import { type Validated, validate } from './validate.ts'

/** The parts of the house a call meets on its way. */
export interface Parts {
  readonly workspace: string
  readonly judge: Judge
  readonly store: Store
  readonly files: FilesDoor
  readonly sandbox: Sandbox
  /** Who is asked to open and show things; undefined where nobody shall be. */
  readonly delegate: Delegate | undefined
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
}

// Most rooms answer at once, and awaiting an answer that is there costs more than making it: so promises alone are awaited.

/** One call from proposal to result, room by room. Never throws. */
export async function runCall(request: Request, parts: Parts): Promise<Result> {
  const { id, session, name } = request
  const started = performance.now()
  const parsing = parse(request, request.snapshot)
  const parsed = parsing instanceof Promise ? await parsing : parsing
  parts.emit({ type: 'call-start', session, call: id, name, arguments: loggable(request.arguments, parsed) })
  const context = new CallContext(request, parts)
  let result: Result
  try {
    result = await walk(parsed, request, { parts, context })
  } catch (thrown) {
    result = failureOf(thrown)
  }
  if (context.plan) await context.finish(result)
  parts.emit({ type: 'call-end', session, call: id, result, duration: performance.now() - started })
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
  { parts, context }: { parts: Parts; context: CallContext },
): Promise<Result> {
  const walked = await walkToLine(parsed, request.snapshot, { parts, context })
  if (walked.failure) return walked.failure
  const asking = approve(walked.prepared, answererOf(request, parts, walked.judged))
  const answered = asking instanceof Promise ? await asking : asking
  if (isFailure(answered)) return answered
  const changed = 'changed' in answered
  const cleared = changed ? await walkChanged({ ...request, arguments: answered.changed }, parts, context) : answered
  if (isFailure(cleared)) return cleared

  const { emit, store } = parts
  if (hasEffect(cleared.entry)) await crossLine(cleared, store)
  if (request.stop.wished) return cancelled(cleared)
  emit({ type: 'call-run', session: cleared.session, call: cleared.id, clearedBy: cleared.clearedBy })
  const returned = await execute(cleared, { context, stop: request.stop, seconds: request.timeout })
  if (isFailure(returned)) return returned
  return normalise(cleared, returned, { snapshot: request.snapshot, changed, store })
}

/** What a person put in place of the arguments goes through every room before the line again; their yes stands, a deny does too. */
async function walkChanged(request: Request, parts: Parts, context: CallContext): Promise<ClearedCall | Failure> {
  const walked = await walkToLine(await parse(request, request.snapshot), request.snapshot, { parts, context })
  return walked.failure ?? approveChanged(walked.prepared)
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
export async function walkToLine(
  parsed: Parsed | Failure,
  snapshot: Snapshot,
  { parts, context }: { parts: Parts; context: CallContext },
): Promise<Walked> {
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
