import type { Rule, RuleInForce } from '../../core/rules/rule.ts'
import type { ExampleReport } from '../../pipeline/judge/test-example.ts'
import { type PatternEngine, PatternError } from '../../rules/patterns.ts'
import type { RuleBook } from '../../rules/rule-book.ts'
import type { Problem, SettingsPath } from '../../settings/check-value.ts'
import type { Project } from '../../settings/project.ts'
import { settingsError } from '../../settings/read-settings.ts'
import type { SettledRule } from '../../settings/rule-settings.ts'

/** Tests the examples of an active rule. */
export type TestRule = (rule: RuleInForce) => Promise<readonly ExampleReport[]>

/** The rules of one settings file. */
export type SettledFile = Pick<Project, 'file' | 'layer' | 'rules'>

/** Adds the rules of a settings file, then tests their examples. Rejects with SettingsError. */
export async function settleRules(
  book: RuleBook,
  { file, layer, rules }: SettledFile,
  testRule: TestRule,
): Promise<void> {
  const source = file.path
  const engine = layer === 'user' ? undefined : await loadEngine(rules)
  const problems: Problem[] = []
  for (const settled of rules) {
    try {
      book.add(settled.rule, { layer, source }, engine)
    } catch (thrown) {
      if (!(thrown instanceof PatternError)) throw thrown
      problems.push({ path: placeOf(thrown, settled), message: thrown.problem })
    }
  }
  if (problems.length > 0) throw await settingsError(file, problems)
  for (const { rule, path } of rules) {
    for (const { example, holds, text } of await testRule({ layer, source, rule })) {
      if (!holds) problems.push({ path: [...path, 'examples'], message: `${example}: ${text}` })
    }
  }
  if (problems.length > 0) throw await settingsError(file, problems)
}

/** Loads the engine for patterns of a project, trusted or not, so that trust never changes what a pattern matches. */
async function loadEngine(rules: readonly SettledRule[]): Promise<PatternEngine | undefined> {
  if (!rules.some(({ rule }) => hasPatterns(rule))) return undefined
  return (await import('../../rules/linear-patterns.ts')).LINEAR_PATTERNS
}

function hasPatterns({ commands, main, arguments: given, forbidden, paths }: Rule): boolean {
  return [commands, main, given, forbidden, paths].some((member) => member !== undefined)
}

/** Returns the place of a pattern in the file. A filter of `[tools.NAME]` is a rule on `main`, which the file does not name. */
function placeOf({ path }: PatternError, settled: SettledRule): SettingsPath {
  const isFilter = settled.path[0] === 'tools'
  return [...settled.path, ...(isFilter ? path.slice(1) : path)]
}
