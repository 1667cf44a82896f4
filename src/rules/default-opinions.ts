import type { KnownPaths } from '../core/ports/path-lookup.ts'
import type { Judgement, Opinion, RuleInForce } from '../core/rules/rule.ts'
import { DEFAULT_MODE, type Mode } from '../core/session/mode.ts'
import type { Touch } from '../core/tool/touch.ts'
import type { DefaultRule } from './defaults/default-rule.ts'
import { DEFAULT_RULES, EVERYDAY_RULE, judgeShell } from './defaults/judge-shell.ts'
import { judgeTouches } from './defaults/judge-touches.ts'
import type { JudgeLocation } from './defaults/path-zones.ts'
import { type Existence, startExistence } from './existence.ts'
import { answersAsk, MODE_RULES, PLAN_DENY } from './modes/modes.ts'
import { openCall } from './read-call.ts'

/** Reads a call and judges it by the default rules: the paths and hosts that the tool names, and its command lines. Never throws. */
export function readDefaults(
  touches: readonly Touch[],
  location: JudgeLocation,
  existence: Existence = startExistence(location.lookup, location.workspace),
): Judgement {
  const { reading, lines } = openCall(touches, location)
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

/** Lists the default rules as they are in a mode; their examples are command lines. */
export function listDefaults(mode: Mode = DEFAULT_MODE): readonly RuleInForce[] {
  return [...DEFAULT_RULES, EVERYDAY_EXAMPLES, ...(MODE_RULES[mode].onlyLooks ? [PLAN_EXAMPLES] : [])].map(
    ({ name, decision, reason, hosts, ports, examples: { matches, not } }) => ({
      layer: 'defaults',
      source: 'built-in',
      supposes: EXAMPLE_PATHS,
      rule: {
        name,
        decision,
        reason: reason.replace('{}', hosts || ports ? 'the host' : 'the path'),
        examples: { [decision]: asCalls(matches), not: asCalls(not) },
      },
      ...(name === PLAN_DENY.rule && { mode }),
      ...(decision === 'ask' && answersAsk(name, mode, true) && { isAnswered: true }),
    }),
  )
}

function asCalls(lines: readonly string[]): readonly string[] {
  return lines.map((command) => `shell ${JSON.stringify({ command })}`)
}

/** What the workspace of the examples holds. */
const EXAMPLE_PATHS: KnownPaths = {
  paths: { 'a.txt': 'file', dir: 'folder', 'dir/b.txt': 'file' },
  otherwise: 'none',
}

const EVERYDAY_EXAMPLES: DefaultRule = {
  name: EVERYDAY_RULE,
  decision: 'allow',
  reason: 'everyday commands that no other rule covers',
  examples: {
    matches: ['ls -la', 'npm test', 'git commit -m x', 'mkdir -p build', 'prettier --write src'],
    not: ['rm -rf ~', 'curl https://example.com', 'frobnicate'],
  },
}

const PLAN_EXAMPLES: DefaultRule = {
  name: PLAN_DENY.rule,
  decision: 'deny',
  reason: MODE_RULES.plan.about,
  examples: {
    matches: ['npm test', 'touch new.txt', 'git commit -m x', 'curl https://example.com'],
    not: ['git log', 'grep -rn x src', 'ls -la'],
  },
}
