import type { ChangeVerdict, Decision, Opinion, RealChange } from '../core/rules/rule.ts'

const NOTHING_AGAINST: ChangeVerdict = Object.freeze({
  decision: 'allow',
  rule: 'real changes',
  reason: 'no rule is against what it changed',
  trace: Object.freeze([]),
})

/** Returns the strictest verdict on what a command really changed: a deny of any layer, or an ask of a person's or project's rule on paths. */
export function judgeChanges(
  changes: readonly RealChange[],
  opinionsOf: (path: string) => readonly Opinion[],
): ChangeVerdict {
  let asked: ChangeVerdict | undefined
  for (const { path } of changes) {
    const trace = opinionsOf(path)
    const find = (decision: Decision) => trace.find((opinion) => opinion.decision === decision)
    const denied = find('deny')
    if (denied) return verdictOf(denied, path, trace)
    const ask =
      asked === undefined ? trace.find(({ decision, layer }) => decision === 'ask' && layer !== 'defaults') : undefined
    if (ask) asked = verdictOf(ask, path, trace)
  }
  return asked ?? NOTHING_AGAINST
}

function verdictOf({ decision, rule, reason }: Opinion, path: string, trace: readonly Opinion[]): ChangeVerdict {
  return { decision, rule, reason, path, trace }
}
