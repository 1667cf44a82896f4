import type { RuleInForce } from '../../core/rules/rule.ts'
import type { ExampleReport } from '../../pipeline/judge/test-example.ts'
import type { RuleBook } from '../../rules/rule-book.ts'
import type { Problem } from '../../settings/check-value.ts'
import type { Project } from '../../settings/project.ts'
import { settingsError } from '../../settings/read-settings.ts'

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
  for (const { rule } of rules) book.add(rule, { layer, source })
  const problems: Problem[] = []
  for (const { rule, path } of rules) {
    for (const { example, holds, text } of await testRule({ layer, source, rule })) {
      if (!holds) problems.push({ path: [...path, 'examples'], message: `${example}: ${text}` })
    }
  }
  if (problems.length > 0) throw await settingsError(file, problems)
}
