import type { Rule, RuleInForce } from '../../core/rules/rule.ts'
import type { ExampleReport } from '../../pipeline/judge/test-example.ts'
import { type PatternEngine, PatternError } from '../../rules/patterns.ts'
import type { RuleBook } from '../../rules/rule-book.ts'
import type { Problem, SettingsPath } from '../../settings/check-value.ts'
import { noteNarrowRules } from '../../settings/note-narrow-rules.ts'
import type { Project } from '../../settings/project.ts'
import { settingsError } from '../../settings/read-settings.ts'
import type { SettledRule } from '../../settings/rule-settings.ts'
import { settledRules } from '../../settings/settled-rules.ts'
import type { HomeParts } from '../home-parts.ts'

/** Tests the examples of an active rule. */
export type TestRule = (rule: RuleInForce) => Promise<readonly ExampleReport[]>

/** The rules of one settings file. */
type SettledFile = Pick<Project, 'file' | 'layer' | 'rules'>

/** The settings whose rules a host adds. */
export interface HostSettings extends Pick<HomeParts, 'user'> {
  readonly project: Project
  /** False where the tools of folders are not loaded: an example may name one, so none is tested then. */
  readonly hasTools: boolean
  onNotice(notice: string): void
}

/** Adds the rules of the user and of the project, and passes on what in them may mean something else than it seems. Rejects with SettingsError. */
export async function settleAllRules(
  book: RuleBook,
  { project, user, hasTools, onNotice }: HostSettings,
  test: TestRule,
): Promise<void> {
  const testRule: TestRule = hasTools ? test : async () => []
  if (user) {
    const rules = settledRules(user.given)
    await settleRules(book, { file: user, layer: 'user', rules }, testRule)
    noteNarrowRules(user.path, rules).forEach(onNotice)
  }
  await settleRules(book, project, testRule)
  noteNarrowRules(project.file.path, project.rules).forEach(onNotice)
}

/** Adds the rules of a settings file, then tests their examples. Rejects with SettingsError. */
async function settleRules(book: RuleBook, { file, layer, rules }: SettledFile, testRule: TestRule): Promise<void> {
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
