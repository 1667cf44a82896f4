import { ToolError } from '../../core/call/result.ts'
import type { Rule } from '../../core/rules/rule.ts'
import type { Problem } from '../check-value.ts'
import { checkRule } from '../rule-settings.ts'
import { changeManaged } from './managed-file.ts'

/** Adds a rule to Haft's own settings file. Rejects with ToolError where it could not be read back. */
export async function addManagedRule(home: string, rule: Rule): Promise<void> {
  const written = writeRule(rule)
  const problems: Problem[] = []
  checkRule(written, ['rules'], (problem) => problems.push(problem))
  const [first] = problems
  if (first) throw new ToolError('INVALID_ARGUMENTS', `${first.path.join('.')}: ${first.message}`)
  await changeManaged(home, (given) => ({ ...given, rules: [...rulesOf(given), written] }))
}

/** Removes the rules of a name from Haft's own settings file. */
export async function removeManagedRule(home: string, name: string): Promise<void> {
  const isOther = (rule: unknown) =>
    !(typeof rule === 'object' && rule !== null && 'name' in rule && rule.name === name)
  await changeManaged(home, (given) => ({ ...given, rules: rulesOf(given).filter(isOther) }))
}

function rulesOf({ rules }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(rules) ? rules : []
}

/** The rule with the keys of a settings file. */
function writeRule({ effects, when: _, ...rule }: Rule): Readonly<Record<string, unknown>> {
  return { ...rule, ...(effects && { effect: effects }) }
}
