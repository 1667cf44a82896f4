import type { InputOf } from '../../../../src/core/api/routes.ts'

export type WrittenRule = InputOf<'addRule'>

/** What a condition is on: its key in the rule, its name, an example. */
export const CONDITIONS = [
  ['paths', 'Touched paths', 'docs/**'],
  ['writes', 'Changed paths', 'docs/**'],
  ['reads', 'Read paths', 'secrets/**'],
  ['deletes', 'Deleted paths', 'build/**'],
  ['tools', 'Tools', 'write_file'],
  ['effects', 'Effects', 'write'],
  ['hosts', 'Hosts', '*.example.com'],
  ['commands', 'Commands (pattern)', '^npm run '],
  ['prefixes', 'Commands that start with', 'git push'],
  ['forbidden', 'Forbidden commands', 'curl'],
  ['main', 'Main parameter (pattern)', '^src/'],
] as const

export type ConditionKind = (typeof CONDITIONS)[number][0]

export interface Condition {
  readonly kind: ConditionKind
  /** One value a line. */
  readonly values: string
}

/** A rule as it is being written. */
export interface RuleDraft {
  readonly name: string
  readonly decision: 'allow' | 'ask' | 'deny'
  readonly reason: string
  readonly conditions: readonly Condition[]
  /** One call a line. */
  readonly matches: string
  readonly not: string
}

export function emptyRule(example = ''): RuleDraft {
  const tool = /^\S+/.exec(example)?.[0]
  return {
    ...{ name: '', decision: 'ask', reason: '', matches: example, not: '' },
    conditions: [tool === undefined ? { kind: 'paths', values: '' } : { kind: 'tools', values: tool }],
  }
}

/** The rule that a draft describes; empty conditions and examples are left out. */
export function ruleOf({ name, decision, reason, conditions, matches, not }: RuleDraft): WrittenRule {
  const members: Record<string, unknown> = {}
  for (const { kind, values } of conditions) {
    const lines = linesOf(values)
    if (lines.length === 0) continue
    const own = kind === 'prefixes' ? lines.map((line) => line.split(/\s+/)) : lines
    const before = members[kind]
    members[kind] = Array.isArray(before) ? [...before, ...own] : own
  }
  const examples = {
    ...(linesOf(matches).length > 0 && { [decision]: linesOf(matches) }),
    ...(linesOf(not).length > 0 && { not: linesOf(not) }),
  }
  return {
    name: name.trim(),
    decision,
    ...(reason.trim() !== '' && { reason: reason.trim() }),
    ...members,
    ...(Object.keys(examples).length > 0 && { examples }),
  }
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
