import type { PreparedCall, ValidCall } from '../core/call.ts'
import { type Failure, failure, isFailure } from '../core/result.ts'
import type { Decision, Opinion } from '../core/rule.ts'
import type { Snapshot } from '../core/snapshot.ts'
import { type Judged, judge } from './judge.ts'
import type { Parsed } from './parse.ts'
import { prepare, settleDecision } from './prepare.ts'
import type { Parts } from './request.ts'
import { claimFor, type WalkPlace } from './trail.ts'
import { type Validated, validate } from './validate.ts'

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

function blocked(call: ValidCall, { verdict: { rule, reason } }: Judged): Failure {
  return failure('BLOCKED', `${call.entry.tool.name} was blocked by rule "${rule}": ${reason}. Nothing was run.`, {
    details: { rule },
  })
}
