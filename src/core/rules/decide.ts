import { type Decision, LAYERS, type Opinion, type Verdict } from './rule.ts'

/** How strict a decision is: the higher one wins. */
export const STRICTNESS: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 }

const SILENT: Verdict = Object.freeze({ decision: 'silent', rule: '', reason: '', trace: Object.freeze([]) })

/** Any deny wins; else the last layer that speaks, and in it the strictest; else silence. An untrusted project only makes it stricter. */
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
