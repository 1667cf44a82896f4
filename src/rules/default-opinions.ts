import type { Judgement, Opinion, RuleInForce } from '../core/rules/rule.ts'
import type { Touch } from '../core/tool/touch.ts'
import { DEFAULT_RULES, judgeShell } from './defaults/judge-shell.ts'
import { judgeTouches } from './defaults/judge-touches.ts'
import type { JudgeLocation } from './defaults/path-zones.ts'
import { startExistence } from './existence.ts'
import { openCall } from './read-call.ts'

/** Reads a call and judges it by the default rules: the paths and hosts that the tool names, and its command lines. Never throws. */
export function readDefaults(touches: readonly Touch[], location: JudgeLocation): Judgement {
  const { reading, lines } = openCall(touches, location)
  const existence = startExistence(location.lookup, location.workspace)
  const { learned } = existence
  const own = judgeTouches(touches, location, existence)
  const runs = touches.filter((touch) => touch.kind === 'runs')
  if (runs.length === 0) return { reading, opinions: own, learned }
  const shell = judgeShell(lines, location, existence)
  const counting = runs.every(({ isFree }) => isFree) ? shell.filter(isDeny) : shell
  return { reading, opinions: [...own, ...counting], learned }
}

function isDeny({ decision }: Opinion): boolean {
  return decision === 'deny'
}

/** Lists the default rules; their examples are command lines. */
export function listDefaults(): readonly RuleInForce[] {
  const asCalls = (lines: readonly string[]) => lines.map((command) => `shell ${JSON.stringify({ command })}`)
  return DEFAULT_RULES.map(({ name, decision, reason, examples: { matches, not } }) => ({
    layer: 'defaults',
    source: 'built-in',
    rule: { name, decision, reason, examples: { [decision]: asCalls(matches), not: asCalls(not) } },
  }))
}
