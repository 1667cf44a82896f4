import type { CallReading, Opinion, RuleInForce } from '../core/rule.ts'
import type { Touch } from '../core/touch.ts'
import { DEFAULT_RULES, type JudgePlace, judgeShell } from './defaults/judge-shell.ts'
import { openCall } from './read-call.ts'

/** Opens a call and asks the default rules. They allow everyday command lines; of other calls they deny, and ask about paths. */
export function readDefaults(
  touches: readonly Touch[],
  place: JudgePlace,
): { reading: CallReading; opinions: readonly Opinion[] } {
  const opened = openCall(touches, place)
  const opinions = judgeShell(opened, place)
  const lines = touches.filter(({ kind }) => kind === 'runs')
  if (lines.length === 0) return { reading: opened.reading, opinions: opinions.filter(concernsTools) }
  const isFree = lines.every((line) => line.kind === 'runs' && line.isFree)
  return { reading: opened.reading, opinions: isFree ? opinions.filter(isDeny) : opinions }
}

const ABOUT_PATHS: ReadonlySet<string> = new Set(DEFAULT_RULES.filter(({ uses }) => uses).map(({ name }) => name))

/** A tool decides itself whether to ask about the hosts it dials. */
function concernsTools(opinion: Opinion): boolean {
  return isDeny(opinion) || ABOUT_PATHS.has(opinion.rule)
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
