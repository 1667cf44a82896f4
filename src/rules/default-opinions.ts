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
  const isCommandLine = touches.some(({ kind }) => kind === 'runs')
  return { reading: opened.reading, opinions: isCommandLine ? opinions : opinions.filter(concernsTools) }
}

const ABOUT_PATHS: ReadonlySet<string> = new Set(DEFAULT_RULES.filter(({ uses }) => uses).map(({ name }) => name))

/** A tool decides itself whether to ask about the hosts it dials. */
function concernsTools({ rule, decision }: Opinion): boolean {
  return decision === 'deny' || ABOUT_PATHS.has(rule)
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
