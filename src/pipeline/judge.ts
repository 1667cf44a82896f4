import type { ValidCall } from '../core/call.ts'
import { messageOf } from '../core/result.ts'
import { type Decision, type Judge, LAYERS, type Opinion, type Verdict } from '../core/rule.ts'
import type { Touch } from '../core/touch.ts'

const NO_TOUCHES: readonly Touch[] = []
const STRICTNESS: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 }

/** A verdict and what the call would touch. */
export interface Judged {
  readonly verdict: Verdict
  readonly touches: readonly Touch[]
}

/** Asks the rules about a valid call. A rule, or a tool's `touches`, that throws denies. A promise only where `touches` is one. */
export function judge(call: ValidCall, rules: Judge): Judged | Promise<Judged> {
  try {
    const touches = call.entry.tool.touches?.(call.input) ?? NO_TOUCHES
    if (!(touches instanceof Promise)) return judgeTouches(call, touches, rules)
    return touches.then(
      (known) => judgeTouches(call, known, rules),
      (thrown) => untold(call, thrown),
    )
  } catch (thrown) {
    return untold(call, thrown)
  }
}

function untold(call: ValidCall, thrown: unknown): Judged {
  return {
    verdict: broken(`${call.entry.tool.name} could not say what it would touch: ${messageOf(thrown)}`),
    touches: [],
  }
}

function judgeTouches(call: ValidCall, touches: readonly Touch[], rules: Judge): Judged {
  try {
    return { verdict: decide(rules.opinions(call, touches)), touches }
  } catch (thrown) {
    return { verdict: broken(`a rule failed: ${messageOf(thrown)}`), touches }
  }
}

function broken(reason: string): Verdict {
  return { decision: 'deny', rule: 'a broken rule denies', reason, trace: [] }
}

const SILENT: Verdict = Object.freeze({ decision: 'silent', rule: '', reason: '', trace: Object.freeze([]) })

/** Any deny wins; else the last layer that speaks, and in it the strictest; else silence. */
export function decide(trace: readonly Opinion[]): Verdict {
  if (trace.length === 0) return SILENT
  const denied = trace.find(({ decision }) => decision === 'deny')
  const layer = Math.max(...trace.map((opinion) => LAYERS.indexOf(opinion.layer)))
  const speakers = trace.filter((opinion) => LAYERS.indexOf(opinion.layer) === layer)
  const strictest = speakers.reduce((a, b) => (STRICTNESS[b.decision] > STRICTNESS[a.decision] ? b : a))
  const { decision, rule, reason } = denied ?? strictest
  return { decision, rule, reason, trace }
}
