import type { ValidCall } from '../../core/call/call.ts'
import { type Failure, failure, messageOf } from '../../core/call/result.ts'
import type { KnownPaths } from '../../core/ports/path-lookup.ts'
import { decide } from '../../core/rules/decide.ts'
import type { CallReading, Judge, Judgement, Verdict } from '../../core/rules/rule.ts'
import { isTouch, type Touch } from '../../core/tool/touch.ts'
import type { CallRun } from '../call-run.ts'
import { claimWritten } from '../ordering/claim-written.ts'
import { proceed, type Stage } from '../stage.ts'
import { PREPARING, stopDuring } from '../stopping/stop-during.ts'
import type { Judged } from './judged.ts'
import { logVerdict } from './log-verdict.ts'

const NO_TOUCHES: readonly Touch[] = []
const NOTHING_READ: CallReading = {
  ...{ touches: [], commands: [], acts: [], words: [] },
  isClear: false,
  needsNetwork: false,
}

/** Judges a valid call by the rules. A deny ends it. Any other call waits here for earlier calls that write to the same paths. */
export function judge(call: ValidCall, run: CallRun): Stage<Judged> {
  const { parts, request } = run
  return proceed(stopDuring(judgeCall(call, parts.judge), request.stop, PREPARING), refuseOrClaim, run)
}

function refuseOrClaim(judged: Judged, run: CallRun): Stage<Judged> {
  run.judged = judged
  const { verdict, touches } = judged
  if (verdict.decision === 'deny') {
    logVerdict(judged, { ...verdict, decision: 'deny' }, run.parts)
    return blocked(judged)
  }
  return touches.length === 0 || run.isCheck ? judged : claimWritten(judged, run).then(() => judged)
}

/** Returns the failure of a call that a rule denies. */
export function blocked({ call, verdict: { rule, reason } }: Judged): Failure {
  const text = `Blocked by rule ${nameRule(rule)}: ${reason}. ${call.entry.tool.name} was not run.`
  return failure('BLOCKED', text, { details: { rule } })
}

/** Quotes the name of a rule if it is more than one word. */
function nameRule(rule: string): string {
  return /\s/.test(rule) ? `"${rule}"` : rule
}

/** Evaluates the rules for a valid call. If a rule or the tool's `touches` throws, the call is denied. Returns a promise only if something must be loaded. */
export function judgeCall(call: ValidCall, rules: Judge, known?: KnownPaths): Judged | Promise<Judged> {
  try {
    const touches = call.entry.tool.touches?.(call.input) ?? NO_TOUCHES
    if (!(touches instanceof Promise)) return judgeTouches(call, touches, { rules, known })
    return touches.then((told) => judgeTouches(call, told, { rules, known })).catch((thrown) => untold(call, thrown))
  } catch (thrown) {
    return untold(call, thrown)
  }
}

function untold(call: ValidCall, thrown: unknown): Judged {
  const verdict = broken(`it is not known what ${call.entry.tool.name} would touch: ${messageOf(thrown)}`)
  return { call, verdict, touches: NO_TOUCHES, reading: NOTHING_READ }
}

interface Judging {
  readonly rules: Judge
  readonly known: KnownPaths | undefined
}

function judgeTouches(call: ValidCall, touches: readonly Touch[], { rules, known }: Judging): Judged | Promise<Judged> {
  for (const touch of touches) if (!isTouch(touch)) throw new Error('touches() returned something that is not a touch')
  const judgement = rules.judge(call, touches, known)
  if (!(judgement instanceof Promise)) return conclude(call, touches, judgement)
  return judgement.then((made) => conclude(call, touches, made)).catch((thrown) => untold(call, thrown))
}

function conclude(call: ValidCall, touches: readonly Touch[], judgement: Judgement): Judged {
  const { reading, opinions, learned, isAllowedByMode } = judgement
  return { call, verdict: decide(opinions), touches, reading, learned, isAllowedByMode }
}

function broken(reason: string): Verdict {
  return { decision: 'deny', rule: 'a broken rule denies', reason, trace: [] }
}
