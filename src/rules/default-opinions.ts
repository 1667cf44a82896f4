import type { Judgement, Opinion, RuleInForce } from '../core/rules/rule.ts'
import type { Touch } from '../core/tool/touch.ts'
import { DEFAULT_RULES, type JudgePlace, judgeShell } from './defaults/judge-shell.ts'
import { judgeTouches } from './defaults/judge-touches.ts'
import { openCall } from './read-call.ts'

/** Opens a call and asks the default rules: of paths and hosts as the tool names them, of command lines as they are read. Never throws. */
export function readDefaults(touches: readonly Touch[], place: JudgePlace): Judgement {
  const { reading, lines } = openCall(touches, place)
  const own = judgeTouches(touches, place)
  const runs = touches.filter((touch) => touch.kind === 'runs')
  if (runs.length === 0) return { reading, opinions: own }
  const said = judgeShell(lines, place)
  return { reading, opinions: [...own, ...(runs.every(({ isFree }) => isFree) ? said.filter(isDeny) : said)] }
}

function isDeny({ decision }: Opinion): boolean {
  return decision === 'deny'
}

/** The default rules, as all rules are listed; their examples are command lines. */
export function listDefaults(): readonly RuleInForce[] {
  const asCalls = (lines: readonly string[]) => lines.map((command) => `shell ${JSON.stringify({ command })}`)
  return DEFAULT_RULES.map(({ name, decision, reason, examples: { matches, not } }) => ({
    layer: 'defaults',
    source: 'built-in',
    rule: { name, decision, reason, examples: { [decision]: asCalls(matches), not: asCalls(not) } },
  }))
}
