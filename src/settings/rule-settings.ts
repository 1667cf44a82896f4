import type { Decision, Rule } from '../core/rules/rule.ts'
import type { Origin } from '../core/tool/snapshot.ts'
import { EFFECTS, type Effect } from '../core/tool/tool.ts'
import { type Check, list, named, oneOrMore, pattern, type SettingsPath, table, text, word } from './check-value.ts'

const DECISIONS: readonly Decision[] = ['allow', 'ask', 'deny']
const ORIGINS: readonly Origin[] = ['built-in', 'code', 'user', 'project', 'mcp']

/** A rule and its path in the settings file. */
export interface SettledRule {
  readonly rule: Rule
  readonly path: SettingsPath
}

type Examples = NonNullable<Rule['examples']>

const checkMembers: Check<Partial<Omit<Rule, 'when'>>> = table<Omit<Rule, 'when'>>({
  name: { key: 'name', check: text, required: { message: 'a rule needs a name' } },
  decision: {
    key: 'decision',
    check: word(...DECISIONS),
    required: { message: `a rule needs a decision: ${DECISIONS.join(', ')}`, unless: ['forbidden'] },
  },
  reason: { key: 'reason', check: text },
  tools: { key: 'tools', check: oneOrMore(text) },
  origins: { key: 'origins', check: oneOrMore(word<Origin>(...ORIGINS)) },
  effects: { key: 'effect', check: oneOrMore(word<Effect>(...EFFECTS)) },
  reads: { key: 'reads', check: oneOrMore(text) },
  writes: { key: 'writes', check: oneOrMore(text) },
  deletes: { key: 'deletes', check: oneOrMore(text) },
  paths: { key: 'paths', check: oneOrMore(text) },
  hosts: { key: 'hosts', check: oneOrMore(text) },
  commands: { key: 'commands', check: oneOrMore(pattern) },
  prefixes: { key: 'prefixes', check: list(list(text)) },
  main: { key: 'main', check: oneOrMore(pattern) },
  arguments: { key: 'arguments', check: named(pattern) },
  forbidden: { key: 'forbidden', check: oneOrMore(pattern) },
  examples: {
    key: 'examples',
    check: table<Examples>({
      allow: { key: 'allow', check: list(text) },
      ask: { key: 'ask', check: list(text) },
      deny: { key: 'deny', check: list(text) },
      not: { key: 'not', check: list(text) },
    }),
  },
})

/** Reads one `[[rules]]` table: it needs a name, and a decision unless it has `forbidden`. */
export const checkRule: Check<Rule> = (value, path, report) => {
  const given = checkMembers(value, path, report)
  if (given === undefined) return undefined
  const { name, decision = given.forbidden ? 'deny' : undefined, ...members } = given
  return name === undefined || decision === undefined ? undefined : { ...members, name, decision }
}

/** `[tools.NAME]`: patterns on the tool's main parameter that allow or deny a call. */
export interface ToolFilter {
  readonly allow: readonly string[]
  readonly deny: readonly string[]
}

/** Reads one `[tools.NAME]` table. */
export const checkFilter: Check<Partial<ToolFilter>> = table<ToolFilter>({
  allow: { key: 'allow', check: oneOrMore(pattern) },
  deny: { key: 'deny', check: oneOrMore(pattern) },
})

/** Turns the filters of all tools into rules, each with its path in the file. As always, deny wins. */
export function filtersToRules(filters: Readonly<Record<string, Partial<ToolFilter>>>): readonly SettledRule[] {
  return Object.entries(filters).flatMap(([tool, { allow, deny }]) => [
    ...(allow ? [filterRule(tool, 'allow', allow)] : []),
    ...(deny ? [filterRule(tool, 'deny', deny)] : []),
  ])
}

function filterRule(tool: string, decision: 'allow' | 'deny', main: readonly string[]): SettledRule {
  const name = `tools.${tool}.${decision}`
  const rule: Rule = { name, decision, tools: [tool], main, reason: `your settings ${decision} it` }
  return { rule, path: ['tools', tool, decision] }
}
