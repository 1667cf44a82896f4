import type { ValidCall } from '../../core/call/call.ts'
import { type Failure, failure, messageOf } from '../../core/call/result.ts'
import {
  type CallReading,
  type Decision,
  type Judge,
  type Judgement,
  LAYERS,
  type Opinion,
  type Verdict,
} from '../../core/rules/rule.ts'
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
const STRICTNESS: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 }

/** Judges a valid call by the rules. A deny ends it. Any other call waits here for earlier calls that write to the same paths. */
export function judge(call: ValidCall, run: CallRun): Stage<Judged> {
  const { parts, request } = run
  return proceed(stopDuring(judgeCall(call, parts.judge), request.stop, PREPARING), (judged) => {
    run.judged = judged
    const { verdict, touches } = judged
    if (verdict.decision === 'deny') {
      logVerdict(call, { ...verdict, decision: 'deny' }, parts)
      return blocked(judged)
    }
    return touches.length === 0 || run.isCheck ? judged : claimWritten(judged, run).then(() => judged)
  })
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
export function judgeCall(call: ValidCall, rules: Judge): Judged | Promise<Judged> {
  try {
    const touches = call.entry.tool.touches?.(call.input) ?? NO_TOUCHES
    if (!(touches instanceof Promise)) return judgeTouches(call, touches, rules)
    return touches.then((known) => judgeTouches(call, known, rules)).catch((thrown) => untold(call, thrown))
  } catch (thrown) {
    return untold(call, thrown)
  }
}

function untold(call: ValidCall, thrown: unknown): Judged {
  const verdict = broken(`it is not known what ${call.entry.tool.name} would touch: ${messageOf(thrown)}`)
  return { call, verdict, touches: NO_TOUCHES, reading: NOTHING_READ }
}

function judgeTouches(call: ValidCall, touches: readonly Touch[], rules: Judge): Judged | Promise<Judged> {
  const conclude = ({ reading, opinions }: Judgement): Judged => ({
    call,
    verdict: decide(opinions),
    touches,
    reading,
  })
  for (const touch of touches) if (!isTouch(touch)) throw new Error('touches() returned something that is not a touch')
  const judgement = rules.judge(call, touches)
  if (!(judgement instanceof Promise)) return conclude(judgement)
  return judgement.then(conclude).catch((thrown) => untold(call, thrown))
}

function broken(reason: string): Verdict {
  return { decision: 'deny', rule: 'a broken rule denies', reason, trace: [] }
}

const SILENT: Verdict = Object.freeze({ decision: 'silent', rule: '', reason: '', trace: Object.freeze([]) })

/** Combines the decisions of the rules: any deny wins; else the strictest decision of the last layer that has one; else silent. An untrusted project can only make it stricter. */
export function decide(trace: readonly Opinion[]): Verdict {
  if (trace.length === 0) return SILENT
  const denied = trace.find(({ decision }) => decision === 'deny')
  const doubtful = trace.filter(({ layer }) => layer === 'untrusted project')
  const settled = strictest(lastLayer(trace.filter(({ layer }) => layer !== 'untrusted project')))
  const speaker =
    denied ?? strictest([...(settled ? [settled] : []), ...doubtful.filter(({ decision }) => decision !== 'allow')])
  if (!speaker) return { ...SILENT, trace }
  const { decision, rule, reason, grant } = speaker
  return { decision, rule, reason, trace, ...(grant !== undefined && { grant }) }
}

function lastLayer(trace: readonly Opinion[]): readonly Opinion[] {
  const rank = ({ layer }: Opinion) => LAYERS.indexOf(layer)
  const last = Math.max(...trace.map(rank))
  return trace.filter((opinion) => rank(opinion) === last)
}

function strictest([first, ...others]: readonly Opinion[]): Opinion | undefined {
  return others.reduce((a, b) => (a && STRICTNESS[b.decision] > STRICTNESS[a.decision] ? b : a), first)
}
