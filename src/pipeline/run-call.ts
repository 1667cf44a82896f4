import type { Approvals, Reply } from '../core/approvals.ts'
import type { ClearedCall, PreparedCall, ValidCall } from '../core/call.ts'
import type { PrepareContext } from '../core/context.ts'
import type { EventBody } from '../core/event.ts'
import type { FilesDoor } from '../core/files.ts'
import { type Failure, failure, failureOf, isFailure, type Result } from '../core/result.ts'
import type { Judge } from '../core/rule.ts'
import type { Sandbox } from '../core/sandbox.ts'
import type { Snapshot } from '../core/snapshot.ts'
import type { Store } from '../core/store.ts'
import { type Answerer, approve, approveChanged } from './approve.ts'
import { execute } from './execute.ts'
import { type Judged, judge } from './judge.ts'
import { normalise } from './normalise.ts'
import { type Parsed, type Proposal, parse } from './parse.ts'
import { MAX_SIZE } from './plain-data.ts'
import { prepare } from './prepare.ts'
import type { Stop } from './stop.ts'
import { type Validated, validate } from './validate.ts'

/** The parts of the house a call meets on its way. */
export interface Parts {
  readonly workspace: string
  readonly judge: Judge
  readonly store: Store
  readonly files: FilesDoor
  readonly sandbox: Sandbox
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

/** One call from proposal to result, room by room. Never throws. */
export async function runCall(request: Request, parts: Parts): Promise<Result> {
  const { id, session, name } = request
  const started = performance.now()
  const parsed = await parse(request, request.snapshot)
  parts.emit({ type: 'call-start', session, call: id, name, arguments: loggable(request.arguments, parsed) })
  let result: Result
  try {
    result = await walk(parsed, request, parts)
  } catch (thrown) {
    result = failureOf(thrown)
  }
  parts.emit({ type: 'call-end', session, call: id, result, duration: performance.now() - started })
  return result
}

/** The arguments as the log keeps them: as they came, but never an object that could still change, nor one past the limit. */
function loggable(given: unknown, parsed: Parsed | Failure): unknown {
  if (typeof given === 'string') return given.length <= MAX_SIZE ? given : `${given.slice(0, 1_000)}…`
  return isFailure(parsed) ? null : parsed.raw.arguments
}

async function walk(parsed: Parsed | Failure, request: Request, parts: Parts): Promise<Result> {
  const context = contextOf(request, parts)
  const walked = await walkToLine(parsed, request.snapshot, { parts, context })
  if (walked.failure) return walked.failure
  const answered = await approve(walked.prepared, answererOf(request, parts, walked.judged))
  if (isFailure(answered)) return answered
  const changed = 'changed' in answered
  const cleared = changed ? await walkChanged({ ...request, arguments: answered.changed }, parts, context) : answered
  if (isFailure(cleared)) return cleared
  if (request.stop.wished) return cancelled(cleared)

  const { emit, store, files, sandbox } = parts
  emit({ type: 'call-run', session: cleared.session, call: cleared.id, clearedBy: cleared.clearedBy })
  const returned = await execute(cleared, {
    context,
    files,
    sandbox,
    stop: request.stop,
    seconds: request.timeout,
    emit,
  })
  if (isFailure(returned)) return returned
  return normalise(cleared, returned, { snapshot: request.snapshot, changed, store })
}

/** What a person put in place of the arguments goes through every room before the line again; their yes stands, a deny does too. */
async function walkChanged(request: Request, parts: Parts, context: PrepareContext): Promise<ClearedCall | Failure> {
  const parsed = await parse(request, request.snapshot)
  const walked = await walkToLine(parsed, request.snapshot, { parts, context })
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
  { parts, context }: { parts: Parts; context: PrepareContext },
): Promise<Walked> {
  if (isFailure(parsed)) return { failure: parsed }
  const validated = await validate(parsed, snapshot)
  if (isFailure(validated)) return { failure: validated }
  const { call, repairs } = validated
  if (repairs.length > 0) parts.emit({ type: 'call-repaired', session: call.session, call: call.id, repairs })
  const judged = await judge(call, parts.judge)
  if (judged.verdict.decision === 'deny') {
    const { rule, reason, trace } = judged.verdict
    parts.emit({ type: 'call-judged', session: call.session, call: call.id, decision: 'deny', rule, reason, trace })
    return { validated, judged, failure: blocked(call, judged) }
  }
  const prepared = await prepare(call, judged, context)
  if (isFailure(prepared)) return { validated, judged, failure: prepared }
  const { decision, rule, reason } = prepared
  parts.emit({
    type: 'call-judged',
    session: call.session,
    call: call.id,
    decision,
    rule,
    reason,
    trace: judged.verdict.trace,
  })
  return { validated, judged, prepared }
}

/** What a call's tool may reach before the line. */
export function contextOf({ id, session, stop }: Request, { workspace, store, files }: Parts): PrepareContext {
  return { workspace, session, call: id, signal: stop.signal, outputs: store, files }
}

function answererOf({ decision, approvals, stop }: Request, { emit }: Parts, { touches }: Judged): Answerer {
  return { decision, approvals, signal: stop.signal, touches, emit }
}

function cancelled({ entry }: ClearedCall): Failure {
  return failure('CANCELLED', `${entry.tool.name} was cancelled before it began. Nothing was run.`)
}

function blocked(call: ValidCall, { verdict: { rule, reason } }: Judged): Failure {
  return failure('BLOCKED', `${call.entry.tool.name} was blocked by rule "${rule}": ${reason}. Nothing was run.`, {
    details: { rule },
  })
}
