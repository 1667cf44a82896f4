import type { PreparedCall, ValidCall } from '../core/call/call.ts'
import { type Failure, failure, isFailure } from '../core/call/result.ts'
import type { Decision, Opinion } from '../core/rules/rule.ts'
import { andThen } from '../core/text/and-then.ts'
import type { Snapshot } from '../core/tool/snapshot.ts'
import { type Judged, judge } from './judge/judge.ts'
import type { Parsed } from './parse/parse.ts'
import { prepare, settleDecision } from './prepare/prepare.ts'
import type { Parts } from './request.ts'
import { type During, heedStop } from './stopping/stop-during.ts'
import { claimFor, type WalkPlace } from './trail.ts'
import { type Validated, validate } from './validate/validate.ts'

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

export const PREPARING: During = 'while it prepared. Nothing was run.'

/** Everything before the line but parse: validate, judge, prepare. Changes nothing and may be repeated. */
export function walkToLine(parsed: Parsed | Failure, snapshot: Snapshot, place: WalkPlace): Walked | Promise<Walked> {
  if (isFailure(parsed)) return { failure: parsed }
  return andThen(heedStop(validate(parsed, snapshot), place.context.stop, PREPARING), (validated) =>
    isFailure(validated) ? { failure: validated } : judgeValid(validated, place),
  )
}

function judgeValid(validated: Validated, place: WalkPlace): Walked | Promise<Walked> {
  const { call, repairs } = validated
  const { emit, judge: rules } = place.parts
  const { stop } = place.context
  if (repairs.length > 0) emit({ type: 'call-repaired', session: call.session, call: call.id, repairs })
  return andThen(heedStop(judge(call, rules), stop, PREPARING), (judged) => {
    if (judged.verdict.decision === 'deny') return block({ validated, judged }, place)
    if (judged.touches.length === 0) return prepareJudged({ validated, judged }, place)
    return claimFor(judged, place).then(() => prepareJudged({ validated, judged }, place))
  })
}

interface JudgedCall {
  readonly validated: Validated
  readonly judged: Judged
}

function prepareJudged({ validated, judged }: JudgedCall, { parts, context }: WalkPlace): Walked | Promise<Walked> {
  const { call } = validated
  const { trace } = judged.verdict
  return andThen(heedStop(prepare(call, judged, context), context.stop, PREPARING), (prepared) => {
    if (isFailure(prepared)) {
      emitJudged(parts, call, settleDecision(call, judged, undefined), trace)
      return { validated, judged, failure: prepared }
    }
    const told = tellOffline(prepared, parts)
    emitJudged(parts, call, told, trace)
    return { validated, judged, prepared: told }
  })
}

/** A person who is asked about a command that cannot work here should know it before they answer. */
function tellOffline(prepared: PreparedCall, { sandbox }: Parts): PreparedCall {
  if (prepared.decision !== 'ask' || !prepared.needsNetwork || !sandbox.isOffline) return prepared
  return { ...prepared, reason: `${prepared.reason}; the network is off here; this will fail` }
}

function block({ validated, judged }: JudgedCall, { parts }: WalkPlace): Walked {
  const { rule, reason, trace } = judged.verdict
  emitJudged(parts, validated.call, { decision: 'deny', rule, reason }, trace)
  return { validated, judged, failure: blocked(validated.call, judged) }
}

interface Decided {
  readonly decision: Decision
  readonly rule: string
  readonly reason: string
}

function emitJudged({ emit }: Parts, call: ValidCall, decided: Decided, trace: readonly Opinion[]): void {
  const { session, id, shown } = call
  const { decision, rule, reason } = decided
  const judged = { type: 'call-judged', session, call: id, decision, rule, reason, trace } as const
  emit(shown === call.arguments ? judged : { ...judged, arguments: shown })
}

/** The end of a call that a rule denies. */
export function blocked(call: ValidCall, { verdict: { rule, reason } }: Judged): Failure {
  return failure('BLOCKED', `${call.entry.tool.name} was blocked by rule "${rule}": ${reason}. Nothing was run.`, {
    details: { rule },
  })
}
